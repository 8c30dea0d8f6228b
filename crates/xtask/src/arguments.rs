//! The command line, as data.

use std::path::PathBuf;

/// The commands, printed by `cargo xtask help` and below the error of a mistaken command line.
pub const USAGE: &str = "\
Usage: cargo xtask COMMAND

  run [SCENE] [-- ARGUMENTS]  install what is missing, build, and show SCENE (default: scenes/dam_break.toml):
                              in the viewer where there is a display, else as pictures under out/.
                              ARGUMENTS go to `sph` (with no display, to `sph render`).
  test                        install what is missing, then run every check and test
  test --quick                for daily use: format, borders of crates and the fast tests, in a minute once built
  test --long                 before a release: the tests that are slow and rarely find what the others miss
  fuzz READER [--minutes N] [--seed S]
                              mutate files for N minutes (default: 1) and read them with READER: scene, import, mesh, particles or checkpoint.
                              An input that causes a panic, or takes too much time or memory, is kept under target/fuzz/
  kill-test [--moments N] [--seed S]
                              kill runs of `sph` at N random moments (default: 100), resume each, and compare all that they leave
                              with a run that was not stopped
  soak [--minutes N] [--seed S]
                              use the window for N minutes (default: 60) at random, on a display of its own: clicks, drags, keys, sizes,
                              scenes. It must not exit or hang, and its memory must stay within bounds
  help                        print this
";

/// A chore and its arguments.
#[derive(Debug, PartialEq)]
pub enum Command {
    /// Arguments of the fuzzer.
    Fuzz(Vec<String>),
    Help,
    KillTest(KillArguments),
    Run(RunArguments),
    Soak(SoakArguments),
    Test(Suite),
}

/// Which checks and tests are run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Suite {
    Whole,
    /// Those for daily use.
    Quick,
    /// Those for a release, which the whole suite leaves out.
    Long,
}

impl Suite {
    fn parse(arguments: &[String]) -> Result<Self, String> {
        match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            [] => Ok(Self::Whole),
            ["--quick"] => Ok(Self::Quick),
            ["--long"] => Ok(Self::Long),
            _ => Err(format!("`test` takes `--quick`, `--long` or nothing, but got `{}`", arguments.join(" "))),
        }
    }
}

/// The arguments of `cargo xtask run`.
#[derive(Debug, Default, PartialEq)]
pub struct RunArguments {
    /// The scene file; `None`: the dam break.
    pub scene: Option<PathBuf>,
    /// Passed on to the program untouched.
    pub extra: Vec<String>,
}

/// The arguments of `cargo xtask kill-test`.
#[derive(Debug, PartialEq)]
pub struct KillArguments {
    /// Number of moments at which a run is stopped.
    pub moments: u32,
    /// Seed of the moments.
    pub seed: u64,
}

impl KillArguments {
    fn parse(arguments: &[String]) -> Result<Self, String> {
        let [moments, seed] = numbers("kill-test", [("--moments", 100), ("--seed", 1)], arguments)?;
        Ok(Self { moments: moments as u32, seed })
    }
}

/// The arguments of `cargo xtask soak`.
#[derive(Debug, PartialEq)]
pub struct SoakArguments {
    /// Time of use, minutes.
    pub minutes: u64,
    /// Seed of what is done.
    pub seed: u64,
}

impl SoakArguments {
    fn parse(arguments: &[String]) -> Result<Self, String> {
        let [minutes, seed] = numbers("soak", [("--minutes", 60), ("--seed", 1)], arguments)?;
        Ok(Self { minutes, seed })
    }
}

/// The whole numbers of two options, or their defaults.
fn numbers(command: &str, options: [(&str, u64); 2], arguments: &[String]) -> Result<[u64; 2], String> {
    let mut values = options.map(|(_, default)| default);
    for pair in arguments.chunks(2) {
        let known = |name: &String| options.iter().position(|(option, _)| name == option);
        let (Some(option), Some(value)) = (known(&pair[0]), pair.get(1)) else {
            let [(first, _), (second, _)] = options;
            return Err(format!("`{command}` takes `{first} N` and `{second} S`, but got `{}`", pair.join(" ")));
        };
        values[option] = value.parse().map_err(|_| format!("`{value}` is no whole number"))?;
    }
    Ok(values)
}

impl Command {
    /// Reads the arguments that follow `cargo xtask`; the error says which one is not understood.
    pub fn parse(arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let arguments: Vec<String> = arguments.collect();
        let Some((name, rest)) = arguments.split_first() else {
            return Err("no command given".to_owned());
        };
        match name.as_str() {
            "run" => RunArguments::parse(rest).map(Self::Run),
            "fuzz" if rest.is_empty() => Err("`fuzz` takes a reader: scene, import, mesh, particles or checkpoint".to_owned()),
            "fuzz" => Ok(Self::Fuzz(rest.to_vec())),
            "test" => Suite::parse(rest).map(Self::Test),
            "kill-test" => KillArguments::parse(rest).map(Self::KillTest),
            "soak" => SoakArguments::parse(rest).map(Self::Soak),
            "help" | "--help" | "-h" => Ok(Self::Help),
            _ => Err(format!("no command `{name}`")),
        }
    }
}

impl RunArguments {
    fn parse(arguments: &[String]) -> Result<Self, String> {
        let (own, extra) = match arguments.iter().position(|argument| argument == "--") {
            Some(at) => (&arguments[..at], &arguments[at + 1..]),
            None => (arguments, &[][..]),
        };
        if let Some(option) = own.iter().find(|argument| argument.starts_with('-')) {
            return Err(format!("`run` has no option `{option}`; arguments of the program itself go after `--`"));
        }
        if let Some(second) = own.get(1) {
            return Err(format!("`run` takes one scene, but got `{second}` as well"));
        }
        Ok(Self { scene: own.first().map(PathBuf::from), extra: extra.to_vec() })
    }

    /// The value of an option among the program's arguments, written `--name value` or `--name=value`.
    pub fn extra_option(&self, name: &str) -> Option<&str> {
        self.extra.iter().enumerate().find_map(|(at, argument)| match argument.strip_prefix(name)? {
            "" => self.extra.get(at + 1).map(String::as_str),
            rest => rest.strip_prefix('='),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Command, String> {
        Command::parse(line.split_whitespace().map(str::to_owned))
    }

    fn run(line: &str) -> RunArguments {
        match parse(line) {
            Ok(Command::Run(arguments)) => arguments,
            other => panic!("{line}: {other:?}"),
        }
    }

    #[test]
    fn commands_are_recognised() {
        assert_eq!(parse("test"), Ok(Command::Test(Suite::Whole)));
        assert_eq!(parse("test --quick"), Ok(Command::Test(Suite::Quick)));
        assert_eq!(parse("test --long"), Ok(Command::Test(Suite::Long)));
        assert_eq!(parse("fuzz mesh --seed 2"), Ok(Command::Fuzz(["mesh", "--seed", "2"].map(str::to_owned).to_vec())));
        assert_eq!(parse("kill-test"), Ok(Command::KillTest(KillArguments { moments: 100, seed: 1 })));
        assert_eq!(parse("kill-test --moments 7"), Ok(Command::KillTest(KillArguments { moments: 7, seed: 1 })));
        assert_eq!(parse("soak --minutes 5"), Ok(Command::Soak(SoakArguments { minutes: 5, seed: 1 })));
        assert_eq!(parse("help"), Ok(Command::Help));
        assert_eq!(parse("run"), Ok(Command::Run(RunArguments::default())));
    }

    #[test]
    fn mistakes_are_named() {
        assert_eq!(parse(""), Err("no command given".to_owned()));
        let mistakes = [
            ("tset", "tset"),
            ("test now", "now"),
            ("test --quick --long", "--quick --long"),
            ("run a.toml b.toml", "b.toml"),
            ("run -x", "-x"),
            ("fuzz", "fuzz"),
            ("kill-test --moments x", "x"),
            ("kill-test --times 3", "--times 3"),
            ("soak --minutes", "--minutes"),
        ];
        for (line, culprit) in mistakes {
            let message = parse(line).unwrap_err();
            assert!(message.contains(&format!("`{culprit}`")), "{line}: {message}");
        }
    }

    #[test]
    fn the_program_gets_what_follows_two_dashes() {
        assert_eq!(run("run a.toml -- --threads 2 -- x").extra, ["--threads", "2", "--", "x"]);
        assert_eq!(run("run a.toml -- --threads 2").scene, Some(PathBuf::from("a.toml")));
        assert_eq!(run("run -- --threads 2").scene, None);
    }

    #[test]
    fn options_of_the_program_are_found() {
        assert_eq!(run("run -- --fps 5 --out here").extra_option("--out"), Some("here"));
        assert_eq!(run("run -- --out=here").extra_option("--out"), Some("here"));
        assert_eq!(run("run -- --output here").extra_option("--out"), None);
        assert_eq!(run("run -- --out").extra_option("--out"), None);
    }
}
