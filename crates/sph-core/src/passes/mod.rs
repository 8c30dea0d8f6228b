//! Passes over the particles: parallel loops, gather passes, their buffers, and the context of a step.

mod cancel_flag;
mod chunks;
mod exact_sum;
mod gather;
mod gather_buffers;
mod mixture;
mod scratch;
mod step_context;
pub(crate) mod sweep;

pub use cancel_flag::CancelFlag;

pub(crate) use chunks::QUERIES_PER_CHUNK;
pub(crate) use exact_sum::{sum_cells, sum_particles};
pub(crate) use gather::{Gather, Source, gather};
pub(crate) use gather_buffers::GatherBuffers;
pub(crate) use mixture::{FluidCoefficients, Mixture};
pub(crate) use scratch::with_kept;
pub(crate) use step_context::StepContext;
