//! Straight antialiased lines of constant width on the screen; the edges of the tank and the arrows of velocity as such lines.

use crate::frame::{self, Arrows, Tint};
use crate::gpu::pipeline::{self, Layer, List, UNIFORM};
use crate::{Background, Frame, Gpu, shaders};
use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use sph_core::Pose;
use sph_io::Look;

/// Vertex-buffer layout of a line.
#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub struct Line {
    /// First end point, m.
    pub start: [f32; 3],
    /// Width, pixels.
    pub width: f32,
    /// Second end point, m.
    pub end: [f32; 3],
    /// sRGB-encoded colour and opacity, 0 to 1.
    pub color: [f32; 4],
}

impl Line {
    pub fn new(start: Vec3, end: Vec3, width: f32, color: [f32; 4]) -> Self {
        Self { start: start.into(), width, end: end.into(), color }
    }
}

/// Pipeline and vertex buffer of the lines.
#[derive(Debug)]
pub struct Lines {
    pipeline: wgpu::RenderPipeline,
    bindings: wgpu::BindGroup,
    lines: List,
}

impl Lines {
    pub fn new(gpu: &Gpu, globals: &wgpu::Buffer) -> Self {
        let device = &gpu.device;
        let layout = pipeline::layout(device, "lines", &[UNIFORM]);
        let attributes = wgpu::vertex_attr_array![0 => Float32x4, 1 => Float32x3, 2 => Float32x4];
        let instances = wgpu::VertexBufferLayout {
            array_stride: size_of::<Line>() as u64,
            step_mode: wgpu::VertexStepMode::Instance,
            attributes: &attributes,
        };
        Self {
            pipeline: pipeline::create(
                device,
                shaders::LINES,
                &layout,
                Some(instances),
                wgpu::PrimitiveTopology::TriangleStrip,
                Layer::Overlay,
            ),
            bindings: pipeline::bind(device, "lines", &layout, &[globals.as_entire_binding()]),
            lines: List::new(device, "lines", wgpu::BufferUsages::VERTEX),
        }
    }

    pub fn update(&mut self, gpu: &Gpu, lines: &[Line]) {
        self.lines.write(gpu, lines);
    }

    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.bindings, &[]);
        pass.set_vertex_buffer(0, self.lines.buffer().slice(..));
        pass.draw(0..4, 0..self.lines.count());
    }
}

// Edges of the tank: opaque behind the fluid, faint in front of it, so that they never hide the fluid.

/// Opacity of an edge that touches 0, 1 or 2 faces between the camera and the fluid.
const OPACITY: [f32; 3] = [0.62, 0.50, 0.16];
/// Colour on a dark background, and on a light one.
const COLORS: [[f32; 3]; 2] = [[0.74, 0.83, 0.92], [0.20, 0.26, 0.34]];
/// Width, pixels.
const EDGE_WIDTH: f32 = 1.3;

/// Colour of edges before `background`; the floor and the sky of the look of water are bright in either.
pub fn color(background: Background, look: Look) -> [f32; 3] {
    COLORS[usize::from(background == Background::LightRoom || look == Look::Water)]
}

/// Opacity of an outline.
const OUTLINE: f32 = 0.55;

/// Appends outlines.
pub fn push_outlines(outlines: &[[Vec3; 2]], [red, green, blue]: [f32; 3], lines: &mut Vec<Line>) {
    lines.extend(outlines.iter().map(|&[start, end]| Line::new(start, end, EDGE_WIDTH, [red, green, blue, OUTLINE])));
}

/// Appends the twelve edges of the box from corner to corner in a pose as seen from `eye`; four if the box is flat.
pub fn push_edges((min, max): (Vec3, Vec3), pose: &Pose, eye: Vec3, color: [f32; 3], lines: &mut Vec<Line>) {
    if !(min.is_finite() && max.is_finite()) {
        return;
    }
    let [red, green, blue] = color;
    let eye = pose.start(eye.as_dvec3()).as_vec3();
    let flat = max.z <= min.z;
    // True if the camera is outside the lower and the upper face of each axis: that face is then in front of the fluid.
    let in_front = [0, 1, 2].map(|axis| [eye[axis] < min[axis], eye[axis] > max[axis]]);
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for (u_side, v_side) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let pick = |axis: usize, side: usize| if side == 0 { min[axis] } else { max[axis] };
            let mut start = min;
            start[u] = pick(u, u_side);
            start[v] = pick(v, v_side);
            let mut end = start;
            end[axis] = max[axis];
            let faces_in_front = usize::from(in_front[u][u_side]) + usize::from(in_front[v][v_side]);
            let kind = if flat { 1 } else { faces_in_front };
            let doubled = flat && (axis == 2 || (u == 2 && u_side == 1) || (v == 2 && v_side == 1));
            if !doubled {
                let [start, end] = [start, end].map(|at| pose.point(at.as_dvec3()).as_vec3());
                lines.push(Line::new(start, end, EDGE_WIDTH, [red, green, blue, OPACITY[kind]]));
            }
        }
    }
}

// Lines of the arrows of velocity.

/// Length of the strokes of a head, as a part of the arrow.
const HEAD: f32 = 0.3;
/// Distance by which arrows are drawn nearer than they are, in radii of the particles: the spheres would hide them.
const LIFT: f32 = 3.0;
/// Width, pixels, and colour.
const ARROW_WIDTH: f32 = 1.4;

const ARROW_COLOR: [f32; 4] = [1.0, 0.93, 0.72, 0.95];

/// Width of the dark outline at either side, pixels, and its colour: arrows contrast with spheres of any colour, and with either background.
const OUTLINE_WIDTH: f32 = 1.0;
const OUTLINE_COLOR: [f32; 4] = [0.04, 0.05, 0.08, 0.8];

/// Appends the arrows of an even selection of the particles that are shown. Each begins at the surface of its sphere, so that short ones are
/// not lost in front of it.
pub fn push_arrows(frame: &Frame<'_>, lines: &mut Vec<Line>) {
    let Some(Arrows { velocities, ids, speed }) = frame.arrows else { return };
    let (stride, longest) = (frame::stride(ids.len()), frame::longest(ids.len(), frame.radius));
    let (eye, forward) = (frame.camera.eye(), frame.camera.axes().2);
    let mut strokes = Vec::new();
    for (index, ((&position, &velocity), &id)) in frame.positions.iter().zip(velocities).zip(ids).enumerate() {
        let is_shown = (id as usize).is_multiple_of(stride) && frame.tint(index) != Tint::Hidden;
        let arrow = longest / speed * velocity;
        if !is_shown || !(position + arrow).is_finite() || arrow.length() < 0.1 * frame.radius {
            continue;
        }
        let towards_eye = (eye - position).normalize_or_zero();
        let surface = position + frame.radius * arrow.normalize_or_zero();
        let start = surface + LIFT * frame.radius * towards_eye;
        let end = start + arrow;
        // Both strokes lie in the plane of the picture.
        let side = 0.5 * arrow.cross(forward).normalize_or_zero() * arrow.length();
        strokes.extend([(start, end), (end, end + HEAD * (side - arrow)), (end, end + HEAD * (-side - arrow))]);
    }
    // No outline lies over a stroke.
    for (width, color) in [(ARROW_WIDTH + 2.0 * OUTLINE_WIDTH, OUTLINE_COLOR), (ARROW_WIDTH, ARROW_COLOR)] {
        lines.extend(strokes.iter().map(|&(start, end)| Line::new(start, end, width, color)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DMat3, DVec3};

    #[test]
    fn twelve_edges_in_space_and_four_in_the_plane() {
        let mut lines = Vec::new();
        push_edges((Vec3::ZERO, Vec3::ONE), &Pose::default(), Vec3::new(0.5, 0.5, 5.0), COLORS[0], &mut lines);
        assert_eq!(lines.len(), 12);
        lines.clear();
        push_edges((Vec3::ZERO, Vec3::new(1.0, 1.0, 0.0)), &Pose::default(), Vec3::new(0.5, 0.5, 5.0), COLORS[0], &mut lines);
        assert_eq!(lines.len(), 4);
    }

    #[test]
    fn a_turned_box_has_the_edges_of_the_box_turned() {
        // A quarter turn about the corner at the origin.
        let rotation = DMat3::from_cols(DVec3::Y, DVec3::NEG_X, DVec3::Z);
        let pose = Pose { rotation, ..Pose::default() };
        let (mut turned, mut beside) = (Vec::new(), Vec::new());
        let (min, max, eye) = (Vec3::ZERO, Vec3::new(2.0, 1.0, 1.0), Vec3::new(-4.0, 3.0, 5.0));
        push_edges((min, max), &pose, eye, COLORS[0], &mut turned);
        let (left, right) = (Vec3::new(-1.0, 0.0, 0.0), Vec3::new(0.0, 2.0, 1.0));
        assert_eq!(pose.bounds(min, max), (left, right));
        push_edges((left, right), &Pose::default(), eye, COLORS[0], &mut beside);
        // Each edge by its middle, with its opacity.
        let sorted = |lines: &[Line]| {
            let middle = |line: &Line| (Vec3::from(line.start) + Vec3::from(line.end)).to_array().map(|x| (x * 10.0) as i32);
            let mut edges: Vec<_> = lines.iter().map(|line| (middle(line), (line.color[3] * 100.0) as i32)).collect();
            edges.sort_unstable();
            edges
        };
        assert_eq!(sorted(&turned), sorted(&beside));
    }

    #[test]
    fn the_corner_nearest_to_the_eye_is_faintest() {
        let mut lines = Vec::new();
        push_edges((Vec3::ZERO, Vec3::ONE), &Pose::default(), Vec3::splat(3.0), COLORS[0], &mut lines);
        let faint = |line: &&Line| line.color[3] == OPACITY[2];
        let clear = |line: &&Line| line.color[3] == OPACITY[0];
        assert_eq!((lines.iter().filter(faint).count(), lines.iter().filter(clear).count()), (3, 3));
        assert!(lines.iter().filter(faint).all(|line| line.end == [1.0; 3]));
    }
}
