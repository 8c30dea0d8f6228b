//! What drawing costs: time on this thread, and on the graphics device where it has clocks. Measuring never waits: the device's
//! times are read whenever they have arrived, a few frames later.

use super::Gpu;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

/// What the latest frames took each, smoothed over some of them.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Costs {
    /// Milliseconds for the particles.
    pub particles_ms: f32,
    /// Milliseconds for the boxes over them; 0 when the last frame had none.
    pub overlay_ms: f32,
    /// Whether the graphics device's time is in it. Where the device has no clocks there is only the time on the CPU.
    pub with_device: bool,
}

/// The parts of a frame that are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The particles, their order and light.
    Particles,
    /// The boxes.
    Overlay,
}

const PARTS: usize = 2;
/// Bytes of a time on the device.
const STAMP: u64 = wgpu::QUERY_SIZE as u64;
/// Times of a frame: each part's start and end.
const STAMPS: u32 = 2 * PARTS as u32;
/// Frames whose times may be on their way at once.
const SLOTS: usize = 3;
/// Weight of the latest frame.
const SHARE: f32 = 0.2;

/// Measures frames.
#[derive(Debug)]
pub struct CostMeter {
    device: Option<DeviceClock>,
    /// ms of the frame being made.
    spent: [f32; PARTS],
    on_cpu: [Mean; PARTS],
    on_device: [Mean; PARTS],
    /// Whether the last frame had one.
    overlay: bool,
}

impl CostMeter {
    pub fn new(gpu: &Gpu) -> Self {
        let has_clocks = gpu.device.features().contains(wgpu::Features::TIMESTAMP_QUERY);
        Self {
            device: has_clocks.then(|| DeviceClock::new(gpu)),
            spent: Default::default(),
            on_cpu: Default::default(),
            on_device: Default::default(),
            overlay: false,
        }
    }

    /// Starts a frame.
    pub fn begin(&mut self, gpu: &Gpu) {
        self.spent = Default::default();
        if let Some(clock) = &mut self.device {
            // Times that have arrived are handed over; nothing is waited for. A lost device is reported by its own handler.
            let _ = gpu.device.poll(wgpu::PollType::Poll);
            clock.collect(&mut self.on_device);
            clock.reserve();
        }
    }

    /// Adds what has been spent on this thread since `start`.
    pub fn spent(&mut self, part: Part, start: Instant) {
        self.spent[part as usize] += milliseconds(start.elapsed());
    }

    /// What the pass that draws `part` shall write.
    pub fn stamps(&self, part: Part) -> Option<wgpu::RenderPassTimestampWrites<'_>> {
        let clock = self.device.as_ref().filter(|clock| clock.reserved.is_some())?;
        let first = 2 * part as u32;
        Some(wgpu::RenderPassTimestampWrites {
            query_set: &clock.queries,
            beginning_of_pass_write_index: Some(first),
            end_of_pass_write_index: Some(first + 1),
        })
    }

    /// Ends the frame's commands; `overlay` says whether there is one in it.
    pub fn end(&mut self, encoder: &mut wgpu::CommandEncoder, overlay: bool) {
        if overlay && !self.overlay {
            // What the last overlay took says nothing about this one.
            self.on_cpu[Part::Overlay as usize] = Mean::default();
            self.on_device[Part::Overlay as usize] = Mean::default();
        }
        self.overlay = overlay;
        if let Some(clock) = &mut self.device {
            clock.resolve(encoder, overlay);
        }
    }

    /// To be called when the commands have been submitted.
    pub fn submitted(&mut self) {
        for (mean, spent) in self.on_cpu.iter_mut().zip(self.spent) {
            mean.add(spent);
        }
        if let Some(clock) = &mut self.device {
            clock.submitted();
        }
    }

    pub fn costs(&self) -> Costs {
        let total = |part: Part| self.on_cpu[part as usize].value + self.on_device[part as usize].value;
        Costs {
            particles_ms: total(Part::Particles),
            overlay_ms: if self.overlay { total(Part::Overlay) } else { 0.0 },
            with_device: self.device.is_some(),
        }
    }
}

/// A mean in which older values count less and less.
#[derive(Clone, Copy, Debug, Default)]
struct Mean {
    value: f32,
    any: bool,
}

impl Mean {
    fn add(&mut self, value: f32) {
        self.value = if self.any { self.value + SHARE * (value - self.value) } else { value };
        self.any = true;
    }
}

fn milliseconds(duration: Duration) -> f32 {
    1e3 * duration.as_secs_f32()
}

/// The clock of the graphics device, read through buffers that come back one after another.
#[derive(Debug)]
struct DeviceClock {
    queries: wgpu::QuerySet,
    resolved: wgpu::Buffer,
    slots: [Slot; SLOTS],
    /// The slot that this frame's times go to; without one they are not taken.
    reserved: Option<usize>,
    /// ms a tick.
    period: f32,
}

#[derive(Debug)]
struct Slot {
    buffer: wgpu::Buffer,
    state: Arc<AtomicU8>,
    overlay: bool,
}

const FREE: u8 = 0;
const UNDER_WAY: u8 = 1;
const ARRIVED: u8 = 2;
const FAILED: u8 = 3;

impl DeviceClock {
    fn new(gpu: &Gpu) -> Self {
        let buffer = |label, usage| {
            let size = STAMP * u64::from(STAMPS);
            gpu.device.create_buffer(&wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false })
        };
        Self {
            queries: gpu.device.create_query_set(&wgpu::QuerySetDescriptor {
                label: Some("costs"),
                ty: wgpu::QueryType::Timestamp,
                count: STAMPS,
            }),
            resolved: buffer("costs", wgpu::BufferUsages::QUERY_RESOLVE | wgpu::BufferUsages::COPY_SRC),
            slots: std::array::from_fn(|_| Slot {
                buffer: buffer("costs to read", wgpu::BufferUsages::COPY_DST | wgpu::BufferUsages::MAP_READ),
                state: Arc::new(AtomicU8::new(FREE)),
                overlay: false,
            }),
            reserved: None,
            period: 1e-6 * gpu.queue.get_timestamp_period(),
        }
    }

    /// Adds the times that have arrived.
    fn collect(&mut self, means: &mut [Mean; PARTS]) {
        for slot in &mut self.slots {
            if slot.state.load(Ordering::Acquire) != ARRIVED {
                continue;
            }
            if let Ok(bytes) = slot.buffer.slice(..).get_mapped_range() {
                let stamps: &[u64] = bytemuck::cast_slice(&bytes);
                let parts = if slot.overlay { PARTS } else { 1 };
                for (mean, stamp) in means.iter_mut().zip(stamps.chunks_exact(2)).take(parts) {
                    // Clocks may be set back when the device sleeps.
                    if let Some(ticks) = stamp[1].checked_sub(stamp[0]) {
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

    fn resolve(&mut self, encoder: &mut wgpu::CommandEncoder, overlay: bool) {
        let Some(index) = self.reserved else { return };
        let slot = &mut self.slots[index];
        slot.overlay = overlay;
        // Times that no pass has written must not be asked for.
        let written = if slot.overlay { STAMPS } else { 2 };
        encoder.resolve_query_set(&self.queries, 0..written, &self.resolved, 0);
        encoder.copy_buffer_to_buffer(&self.resolved, 0, &slot.buffer, 0, STAMP * u64::from(written));
    }

    fn submitted(&mut self) {
        let Some(slot) = self.reserved.take().map(|index| &self.slots[index]) else { return };
        slot.state.store(UNDER_WAY, Ordering::Release);
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
    fn means_start_at_the_first_value_and_follow_the_latest() {
        let mut mean = Mean::default();
        mean.add(8.0);
        assert_eq!(mean.value, 8.0);
        (0..40).for_each(|_| mean.add(2.0));
        assert!((mean.value - 2.0).abs() < 0.01, "{}", mean.value);
    }
}
