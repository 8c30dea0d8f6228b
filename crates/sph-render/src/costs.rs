//! Render times: time on this thread, and on the graphics device if it supports timestamp queries. Measuring never waits: the
//! device's timestamps are read when they have arrived, a few frames later.

use super::Gpu;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

/// Render time per frame, smoothed over the latest frames.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Costs {
    /// Time of each part, ms, in the order of [`Part::ALL`]; 0 for those that the last frame did not have.
    parts_ms: [f32; PARTS],
    /// True if the times include the graphics device. Without timestamp queries they cover the CPU only.
    pub with_device: bool,
}

impl Costs {
    /// Time of a part, ms; 0 if the last frame did not have it.
    pub fn of(&self, part: Part) -> f32 {
        self.parts_ms[part as usize]
    }
}

/// Parts of a frame that are timed separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The particles with their sorting and lighting.
    Particles,
    /// The cell boxes.
    Overlay,
    /// Water: the sun's light on the floor.
    SunMap,
    /// Water: sky, floor and bodies.
    Surroundings,
    /// Water: thickness along the view.
    Thickness,
    /// Water: distance of the nearest spheres.
    Surface,
    /// Water: blur of the thickness.
    Blur,
    /// Water: filter of the surface.
    Smoothing,
    /// Water: light that reaches the eye.
    Composite,
    /// Water: antialiasing.
    Antialiasing,
}

const PARTS: usize = Part::ALL.len();
/// Distance between the timestamps of two parts in a buffer, bytes: the least that queries are resolved with.
const PART_BYTES: u64 = wgpu::QUERY_RESOLVE_BUFFER_ALIGNMENT;
/// Timestamps of a frame: start and end of each part.
const TIMESTAMPS: u32 = 2 * PARTS as u32;

/// Timestamps that a pass writes; `None` if the device has none.
pub type Stamps<'a> = Option<wgpu::RenderPassTimestampWrites<'a>>;

impl Part {
    /// Every part.
    pub const ALL: [Self; 10] = [
        Self::Particles,
        Self::Overlay,
        Self::SunMap,
        Self::Surroundings,
        Self::Thickness,
        Self::Surface,
        Self::Blur,
        Self::Smoothing,
        Self::Composite,
        Self::Antialiasing,
    ];

    /// Name in tables of costs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Particles => "particles",
            Self::Overlay => "overlay",
            Self::SunMap => "sun map",
            Self::Surroundings => "surroundings",
            Self::Thickness => "thickness",
            Self::Surface => "surface",
            Self::Blur => "blur",
            Self::Smoothing => "smoothing",
            Self::Composite => "composite",
            Self::Antialiasing => "antialiasing",
        }
    }
}
/// Frames whose timestamps may be in flight at once.
const SLOTS: usize = 3;
/// Weight of the latest frame in the moving average.
const SMOOTHING: f32 = 0.2;

/// Measures the render time of frames.
#[derive(Debug)]
pub struct CostMeter {
    device: Option<DeviceClock>,
    /// CPU time of the current frame, ms.
    spent: [f32; PARTS],
    on_cpu: [MovingAverage; PARTS],
    on_device: [MovingAverage; PARTS],
    /// Parts of the last frame.
    has: [bool; PARTS],
}

impl CostMeter {
    pub fn new(gpu: &Gpu) -> Self {
        let has_clocks = gpu.device.features().contains(wgpu::Features::TIMESTAMP_QUERY);
        Self {
            device: has_clocks.then(|| DeviceClock::new(gpu)),
            spent: Default::default(),
            on_cpu: Default::default(),
            on_device: Default::default(),
            has: Default::default(),
        }
    }

    /// Starts a frame.
    pub fn begin(&mut self, gpu: &Gpu) {
        self.spent = Default::default();
        if let Some(clock) = &mut self.device {
            // Runs the callbacks of finished work without waiting. A lost device is reported by its own handler.
            let _ = gpu.device.poll(wgpu::PollType::Poll);
            clock.collect(&mut self.on_device);
            clock.reserve();
        }
    }

    /// Adds the CPU time since `start`.
    pub fn add_cpu_time(&mut self, part: Part, start: Instant) {
        self.spent[part as usize] += milliseconds(start.elapsed());
    }

    /// Timestamps that the first and the last pass of `part` write.
    pub fn timestamp_writes(&self, part: Part) -> Stamps<'_> {
        let clock = self.device.as_ref().filter(|clock| clock.reserved.is_some())?;
        let first = 2 * part as u32;
        Some(wgpu::RenderPassTimestampWrites {
            query_set: &clock.queries,
            beginning_of_pass_write_index: Some(first),
            end_of_pass_write_index: Some(first + 1),
        })
    }

    /// Records the commands that resolve the timestamps of `parts`, those of the frame.
    pub fn end(&mut self, encoder: &mut wgpu::CommandEncoder, parts: &[Part]) {
        let had = self.has;
        self.has = std::array::from_fn(|index| parts.contains(&Part::ALL[index]));
        for part in (0..PARTS).filter(|&part| self.has[part] && !had[part]) {
            // The time of an earlier frame with this part does not apply to this one.
            self.on_cpu[part] = MovingAverage::default();
            self.on_device[part] = MovingAverage::default();
        }
        if let Some(clock) = &mut self.device {
            clock.resolve(encoder, self.has);
        }
    }

    /// Starts the read-back; to be called after the commands were submitted.
    pub fn submitted(&mut self) {
        for (mean, spent) in self.on_cpu.iter_mut().zip(self.spent) {
            mean.add(spent);
        }
        if let Some(clock) = &mut self.device {
            clock.submitted();
        }
    }

    pub fn costs(&self) -> Costs {
        let total = |part: usize| if self.has[part] { self.on_cpu[part].value + self.on_device[part].value } else { 0.0 };
        Costs { parts_ms: std::array::from_fn(total), with_device: self.device.is_some() }
    }
}

/// Exponential moving average.
#[derive(Clone, Copy, Debug, Default)]
struct MovingAverage {
    value: f32,
    any: bool,
}

impl MovingAverage {
    fn add(&mut self, value: f32) {
        self.value = if self.any { self.value + SMOOTHING * (value - self.value) } else { value };
        self.any = true;
    }
}

fn milliseconds(duration: Duration) -> f32 {
    1e3 * duration.as_secs_f32()
}

/// Timestamp queries of the graphics device, read back through a ring of buffers.
#[derive(Debug)]
struct DeviceClock {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    slots: [Slot; SLOTS],
    /// Slot for this frame's timestamps; `None` skips them.
    reserved: Option<usize>,
    /// Length of a tick, ms.
    period: f32,
}

#[derive(Debug)]
struct Slot {
    buffer: wgpu::Buffer,
    state: Arc<AtomicU8>,
    /// Parts of its frame.
    parts: [bool; PARTS],
}

const FREE: u8 = 0;
const IN_FLIGHT: u8 = 1;
const ARRIVED: u8 = 2;
const FAILED: u8 = 3;

impl DeviceClock {
    fn new(gpu: &Gpu) -> Self {
        let buffer = |label, usage| {
            let size = PART_BYTES * PARTS as u64;
            gpu.device.create_buffer(&wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false })
        };
        Self {
            queries: gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("costs"),
                ty: wgpu::QueryType::Timestamp,
                count: TIMESTAMPS,
            }),
            resolved: buffer("costs", wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC),
            slots: std::array::from_fn(|_| Slot {
                buffer: buffer("costs to read", wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ),
                state: Arc::new(AtomicU8::new(FREE)),
                parts: Default::default(),
            }),
            reserved: None,
            period: 1e-6 * gpu.queue.get_timestamp_period(),
        }
    }

    /// Adds the times of the slots that have arrived.
    fn collect(&mut self, means: &mut [MovingAverage; PARTS]) {
        for slot in &mut self.slots {
            if slot.state.load(Ordering::Acquire) != ARRIVED {
                continue;
            }
            if let Ok(bytes) = slot.buffer.slice(..).get_mapped_range() {
                let timestamps: &[u64] = bytemuck::cast_slice(&bytes);
                let parts = timestamps.chunks_exact(PART_BYTES as usize / size_of::<u64>());
                for ((mean, ticks_at), _) in means.iter_mut().zip(parts).zip(slot.parts).filter(|&(_, has)| has) {
                    // Timestamps may decrease after the device has slept.
                    if let Some(ticks) = ticks_at[1].checked_sub(ticks_at[0]) {
                        mean.add(ticks as f32 * self.period);
                    }
                }
            }
            slot.buffer.unmap();
            slot.state.store(FREE, Ordering::Release);
        }
    }

    fn reserve(&mut self) {
        self.reserved = self.slots.iter().position(|slot| slot.state.load(Ordering::Acquire) == FREE);
    }

    fn resolve(&mut self, encoder: &mut wgpu::CommandEncoder, parts: [bool; PARTS]) {
        let Some(index) = self.reserved else { return };
        let slot = &mut self.slots[index];
        slot.parts = parts;
        // Only timestamps that a pass has written may be resolved.
        for part in (0..PARTS).filter(|&part| parts[part]) {
            let first = 2 * part as u32;
            encoder.resolve_query_set(&self.queries, first..first + 2, &self.resolved, PART_BYTES * part as u64);
        }
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &slot.buffer, 0, slot.buffer.size());
    }

    fn submitted(&mut self) {
        let Some(slot) = self.reserved.take().map(|index| &self.slots[index]) else { return };
        slot.state.store(IN_FLIGHT, Ordering::Release);
        let state = Arc::clone(&slot.state);
        slot.buffer.slice(..).map_async(wgpu::MapMode::Read, move |outcome| {
            state.store(if outcome.is_ok() { ARRIVED } else { FAILED }, Ordering::Release);
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn averages_start_at_the_first_value_and_follow_the_latest() {
        let mut mean = MovingAverage::default();
        mean.add(8.0);
        assert_eq!(mean.value, 8.0);
        (0..40).for_each(|_| mean.add(2.0));
        assert!((mean.value - 2.0).abs() < 0.01, "{}", mean.value);
    }
}
