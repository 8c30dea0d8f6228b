//! Files of the simulator: scenes, exports, statistics and readings.
//!
//! - **Scenes**: [`load`] turns a TOML file, with values overridden on the command line ([`Override`]), into a [`Scene`] that can
//!   be simulated, or into a [`SceneError`] that shows the place. [`json_schema`] describes the format to editors, [`reference`](reference())
//!   to people; [`save_parameters`] writes changed values back into the file and keeps its comments.
//! - **Imports**: [`import`](import()) turns a scene of SPlisHSPlasH into one of ours; [`load`] does so for a file that ends in `.json`.
//! - **Results**: [`export`] writes particles for other programs, [`StatsFile`] the statistics of each step as JSON, [`ProbesFile`] the
//!   readings of the scene's probes, [`BenchResult`] times with all that is needed to repeat their measurement.
//! - **Safety**: every file is written through [`AtomicFile`]: it is complete or absent.
//!
//! ```
//! let change = "grid.table_size=97".parse()?;
//! let scene = sph_io::parse(
//!     r#"
//!     format = 1
//!     title = "A drop"
//!     dimensions = 2
//!     [particles]
//!     spacing = 0.01
//!     [[fluid.blocks]]
//!     min = [0.0, 0.0]
//!     max = [0.1, 0.1]
//!     initial_pressure = "zero"
//!     "#,
//!     "drop",
//!     &[change],
//! )?;
//! assert_eq!(scene.setup.particle_counts().fluid, 100);
//! assert_eq!(scene.setup.parameters.grid.table_size, 97);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_docs)]

mod atomic_file;
mod checkpoint;
mod folder;
mod import;
mod input_files;
mod mesh;
mod particle_file;
mod pipe;
mod probes_file;
mod recording;
mod result;
mod resumed_lines;
mod scene;
mod settings_file;
mod stats;
mod words;

pub mod export;

pub use atomic_file::wait_for_space;
pub use atomic_file::{AtomicFile, write_atomically};
pub use checkpoint::{Checkpoint, CheckpointError, PackedState};
pub use folder::{FrameFiles, make_folder};
pub use import::{Imported, import};
pub use input_files::SourceFiles;
pub use probes_file::ProbesFile;
pub use recording::{Fingerprints, Recording, RecordingError, Row, fingerprint};
pub use result::{BenchResult, Figure, Machine, Measured, NamedFile, Program, ResultError, Setting, Source, StepTimes};
pub use resumed_lines::LinesSoFar;
pub use scene::{
    ClipPlane, ColorField, ColorMapName, Look, MAX_COLOR_END, NamedProbe, Override, OverrideError, PointColors, SaveError,
    Scene, SceneEdits, SceneError, SolidStyle, View, available_memory, json_schema, list_scenes, load, load_from, parse,
    reference, save_parameters, save_scene,
};
pub use settings_file::{read_settings, settings_path, write_settings};
pub use stats::{StatsFile, stats_line};
pub use words::{bytes_in_words, grouped, nearest};
