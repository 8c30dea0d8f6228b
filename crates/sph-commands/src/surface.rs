//! `sph surface`: makes surface meshes of particles that were exported earlier.

use super::Failure;
use crate::arguments::ThreadArgs;
use crate::console;
use crate::output::{Claims, replace_later};
use crate::simulate::{Interrupt, start_threads};
use clap::Args;
use sph_io::export::FrameExport;
use sph_io::export::surface::{ParticleFrame, SurfaceError, SurfaceSeries, SurfaceSettings, exported_frames};
use sph_io::grouped;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Time between two lines of progress.
const PERIOD: Duration = Duration::from_secs(2);

/// Arguments of `sph surface`.
#[derive(Clone, Debug, Args)]
pub struct Options {
    /// Folder with the frames of an export: npz, vtk or ply
    #[arg(value_name = "EXPORT_DIR")]
    folder: PathBuf,
    /// Folder for the meshes, one file per frame
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Settings, separated by commas: radius=METRES (half the particle spacing of the scene), and the settings of sph run
    #[arg(long, value_name = "SETTINGS")]
    surface: Option<SurfaceSettings>,
    #[command(flatten)]
    threads: ThreadArgs,
}

/// Executes `sph surface`.
///
/// # Errors
/// If the radius is not given, there are no frames, one cannot be read, or a mesh cannot be made or written.
pub fn execute(options: &Options) -> Result<(), Failure> {
    let Options { folder, out, surface, threads } = options;
    let settings = surface.unwrap_or_default();
    if settings.radius.is_none() {
        return Err(Failure::Input(format!("{}, such as --surface radius=0.0125", SurfaceError::NoRadius)));
    }
    let frames = exported_frames(folder)
        .map_err(|error| Failure::Input(format!("cannot read an export from {}: {error}", folder.display())))?;
    let mut claims = Claims::default();
    frames.iter().for_each(|(_, path)| claims.input("a frame of the export", path));
    let mut meshes = Meshes { out, settings, series: BTreeMap::new(), before: Vec::new(), claims };

    let (interrupt, pool) = (Interrupt::install()?, start_threads(*threads)?);
    let (start, mut shown, mut done) = (Instant::now(), Instant::now(), 0);
    for (number, path) in &frames {
        if interrupt.requested() {
            break;
        }
        pool.install(|| meshes.make(*number, path))?;
        done += 1;
        if shown.elapsed() > PERIOD {
            shown = Instant::now();
            let left = start.elapsed().as_secs_f64() * (frames.len() - done) as f64 / done as f64;
            console::say(&format!("{} of {} frames, {left:.0} s left", grouped(done as u64), grouped(frames.len() as u64)));
        }
    }
    meshes.finish()?;
    let interrupted = if done < frames.len() { ", interrupted" } else { "" };
    console::say(&format!("{} in {}{interrupted}", console::counted(done as u64, "surface"), out.display()));
    Ok(())
}

/// Meshes of an export. As those of a run, a fluid without particles in a frame has an empty one.
struct Meshes<'a> {
    out: &'a Path,
    settings: SurfaceSettings,
    /// Series of each fluid so far; `None` is that of all particles.
    series: BTreeMap<Option<u8>, SurfaceSeries>,
    /// Numbers and times (s) of the frames so far.
    before: Vec<(u64, f64)>,
    claims: Claims,
}

impl Meshes<'_> {
    /// Makes the meshes of the frame at `path`, one for each fluid.
    fn make(&mut self, number: u64, path: &Path) -> Result<(), Failure> {
        let frame = ParticleFrame::read(path)
            .map_err(|error| Failure::Run(format!("cannot read the frame {}: {error}", path.display())))?;
        if frame.is_flat() {
            let reason = "its particles lie in a plane, but a surface needs three dimensions";
            return Err(Failure::Input(format!("no surface of the frame {}: {reason}", path.display())));
        }
        if !frame.positions.is_empty() {
            frame.fluid_numbers().into_iter().try_for_each(|fluid| self.begin(fluid, number))?;
        }
        self.series.values().try_for_each(|series| write(series, number, &frame))?;
        self.before.push((number, frame.time));
        Ok(())
    }

    /// Begins the series of `fluid`, which has its first particles in frame `number`, unless it has begun.
    fn begin(&mut self, fluid: Option<u8>, number: u64) -> Result<(), Failure> {
        if self.series.contains_key(&fluid) {
            return Ok(());
        }
        let series = SurfaceSeries::new(self.out, fluid, self.settings);
        series.frames().iter().try_for_each(|frames| self.claims.frames("--out", frames))?;
        let first = self.before.first().map_or(number, |&(first, _)| first);
        let series = self.start(first, series)?;
        for &(number, time) in &self.before {
            write(&series, number, &ParticleFrame { time, ..ParticleFrame::default() })?;
        }
        self.series.insert(fluid, series);
        Ok(())
    }

    /// Gives an export without any particles its empty meshes.
    fn finish(&mut self) -> Result<(), Failure> {
        match self.before.first() {
            Some(&(first, _)) if self.series.is_empty() => self.begin(None, first),
            _ => Ok(()),
        }
    }

    /// Makes the folder of a series that begins with frame `number`, and removes what an earlier run has left in it.
    fn start(&self, number: u64, series: SurfaceSeries) -> Result<SurfaceSeries, Failure> {
        let folder = series.folder();
        sph_io::make_folder(folder).map_err(|error| Failure::output("into", folder, &error))?;
        if let Some(frames) = series.frames() {
            frames.remove_abandoned();
            replace_later(&frames, number)?;
        }
        Ok(series)
    }
}

fn write(series: &SurfaceSeries, number: u64, frame: &ParticleFrame) -> Result<(), Failure> {
    let fail = |error: io::Error| Failure::output("the surface into", series.folder(), &error);
    series.write_frame(number, frame).map(|_| ()).map_err(fail)
}
