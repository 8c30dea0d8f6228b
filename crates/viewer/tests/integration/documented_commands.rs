//! Every command that the documents name is one that its program takes: `sph`, `cargo xtask`, the benchmarks, and cargo with its targets.
//!
//! Nothing is simulated and nothing is built: each command is parsed by the parser of its program.

// The parsers themselves. Neither is a library, as nothing else needs them.
#[allow(dead_code, reason = "only parsed here, not executed")]
#[path = "../../../../benchmarks/benches/table/options.rs"]
mod benchmarks;
#[allow(dead_code, reason = "only parsed here, not executed")]
#[path = "../../../xtask/src/arguments.rs"]
mod xtask;

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A command in a document.
#[derive(Debug, PartialEq)]
struct Documented {
    /// Values of environment variables before it.
    variables: Vec<String>,
    words: Vec<String>,
    /// True for one that can be typed as it is, false for one in a sentence, with names in place of values.
    is_whole: bool,
}

/// The text of the documents for users and for developers, by their path. Decisions are left out: they tell what was, not what is.
fn documents() -> Vec<(PathBuf, String)> {
    let guide = files(&root().join("docs/guide"), "md");
    let others =
        ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "docs/performance.md", "docs/gallery.md", "docs/validation.md"];
    let paths = others.map(|name| root().join(name)).into_iter().chain(guide);
    paths.map(|path| (path.clone(), std::fs::read_to_string(&path).expect("a document"))).collect()
}

/// Every file below `folder` with an ending.
fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let below = entries.flat_map(|path| if path.is_dir() { files(&path, extension) } else { vec![path] });
    below.filter(|path| path.extension().is_some_and(|found| found == extension)).collect()
}

/// The commands of `text`: lines `$ …` of its blocks, and what stands in backquotes and begins with the name of a program.
fn commands(text: &str) -> Vec<Documented> {
    let joined = text.replace("\\\n", " ");
    let whole = joined.lines().filter_map(|line| line.strip_prefix("$ ")).map(|line| Documented::parse(line, true));
    // Blocks in fences have an even number of backquotes, so that every second part is still quoted.
    let quoted = text.split('`').skip(1).step_by(2).filter(|quoted| !quoted.contains('\n'));
    let quoted = quoted.map(|quoted| Documented::parse(quoted, false));
    whole.chain(quoted).filter(|command| ["sph", "sph-cli", "cargo"].contains(&command.program())).collect()
}

impl Documented {
    /// Splits a command into words as a shell does, up to a pipe, a redirection or a comment.
    fn parse(line: &str, is_whole: bool) -> Self {
        let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
        for letter in line.chars().chain([' ']) {
            match (letter, quote) {
                ('"' | '\'', None) => {
                    quote = Some(letter);
                    word.get_or_insert_default();
                }
                (_, Some(open)) if letter == open => quote = None,
                (' ', None) => words.extend(word.take()),
                ('|' | '>' | '#' | ';', None) if word.is_none() => break,
                _ => word.get_or_insert_default().push(letter),
            }
        }
        let is_variable = |word: &String| {
            word.split_once('=').is_some_and(|(name, _)| name.chars().all(|c| c.is_ascii_uppercase() || c == '_'))
        };
        let arguments = words.split_off(words.iter().position(|word| !is_variable(word)).unwrap_or(words.len()));
        Self { variables: words, words: arguments, is_whole }
    }

    fn program(&self) -> &str {
        self.words.first().map_or("", String::as_str)
    }

    /// The value of an option, `--name value` or `--name=value`, before `--`.
    fn option(&self, name: &str) -> Option<&str> {
        let own = self.words.split(|word| word == "--").next().unwrap_or_default();
        own.iter().enumerate().find_map(|(at, word)| match word.strip_prefix(name)? {
            "" => own.get(at + 1).map(String::as_str),
            rest => rest.strip_prefix('='),
        })
    }

    /// The word of `cargo test` that names tests: it is neither an option nor the value of one.
    fn filter(&self) -> Option<&str> {
        let words = self.words.get(2..).unwrap_or_default();
        let is_value = |at: usize| at > 0 && ["-p", "--package", "--test"].contains(&words[at - 1].as_str());
        words.iter().enumerate().find(|(at, word)| !word.starts_with('-') && !is_value(*at)).map(|(_, word)| word.as_str())
    }

    /// What follows `--`.
    fn passed_on(&self) -> Option<&[String]> {
        self.words.iter().position(|word| word == "--").map(|at| &self.words[at + 1..])
    }

    fn check(&self) -> Result<(), String> {
        for variable in &self.variables {
            let name = variable.split('=').next().unwrap_or_default();
            if name != "RUSTFLAGS" && !is_in_sources(&root().join("crates"), &format!("\"{name}\"")) {
                return Err(format!("nothing reads {name}"));
            }
        }
        match self.program() {
            // All that `sph-cli` takes, `sph` takes as well.
            "sph" | "sph-cli" => self.check_sph(&self.words[1..]),
            _ => self.check_cargo(),
        }
    }

    /// The program reads all its arguments before it answers `--help`. In a sentence only the names of commands and options count.
    fn check_sph(&self, arguments: &[String]) -> Result<(), String> {
        let help = |arguments: &[&str]| {
            let output =
                Command::new(env!("CARGO_BIN_EXE_sph")).args(arguments).arg("--help").output().expect("the program starts");
            let said = |bytes| String::from_utf8_lossy(bytes).into_owned();
            if output.status.success() { Ok(said(&output.stdout)) } else { Err(said(&output.stderr)) }
        };
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let is_name = |word: &&str| !word.is_empty() && word.chars().all(|letter| letter.is_ascii_lowercase());
        let command: Vec<&str> = arguments.first().copied().into_iter().filter(is_name).collect();
        let is_known = |help: &str| help.contains(&["Usage: sph", &command.join(" ")].join(" "));
        if self.is_whole {
            let missing = |word: &&&str| word.starts_with("scenes/") && word.ends_with(".toml") && !root().join(word).exists();
            return match (help(&arguments)?, arguments.iter().find(missing)) {
                (help, _) if !is_known(&help) => Err(format!("no command {}", command.join(" "))),
                (_, Some(word)) => Err(format!("there is no {word}")),
                _ => Ok(()),
            };
        }
        let help = help(&command).ok().filter(|help| is_known(help)).ok_or("no such command")?;
        let options =
            arguments.iter().filter(|word| word.starts_with("--")).map(|word| word.split('=').next().unwrap_or_default());
        let known = |option: &str| help.split([' ', '\n', ',', '[']).any(|word| word == option);
        options.filter(|option| !known(option)).try_for_each(|option| Err(format!("no option {option}")))
    }

    fn check_cargo(&self) -> Result<(), String> {
        let exists =
            |path: PathBuf| if root().join(&path).exists() { Ok(()) } else { Err(format!("there is no {}", path.display())) };
        let package = Path::new("crates").join(self.option("-p").or(self.option("--package")).unwrap_or_default());
        exists(package.join("."))?;
        for (option, folder) in [("--test", "tests"), ("--example", "examples")] {
            if let Some(name) = self.option(option) {
                let target = package.join(folder).join(name);
                exists(target.with_extension("rs")).or_else(|_| exists(target.join("main.rs")))?;
            }
        }
        if let Some(manifest) = self.option("--manifest-path") {
            exists(manifest.into())?;
        }
        let passed_on = || self.passed_on().unwrap_or_default().iter().cloned();
        match self.words.get(1).map(String::as_str) {
            Some("xtask") => {
                // In a sentence a letter stands for a number.
                let is_letter =
                    |word: &str| !self.is_whole && word.len() == 1 && word.chars().all(|letter| letter.is_ascii_uppercase());
                let words = self.words[2..].iter().map(|word| if is_letter(word) { "1".to_owned() } else { word.clone() });
                xtask::Command::parse(words).map(|_| ())
            }
            Some("bench") => benchmarks::Options::parse(passed_on()).map(|_| ()).map_err(|error| error.to_string()),
            Some("install") => exists(Path::new(self.option("--path").unwrap_or_default()).join("Cargo.toml")),
            // Without a target, the arguments are those of `sph`.
            Some("run") if self.option("--example").is_none() => self.check_sph(&passed_on().collect::<Vec<_>>()),
            Some("test") => match self.filter() {
                Some(name)
                    if !["fn ", "mod "].iter().any(|item| is_in_sources(&root().join(&package), &[item, name].concat())) =>
                {
                    Err(format!("no test {name}"))
                }
                _ => Ok(()),
            },
            Some("build" | "run" | "tree") => Ok(()),
            _ => Err("no command of cargo that this test knows".to_owned()),
        }
    }
}

/// True if some Rust file below a folder contains `text`; this file does not count.
fn is_in_sources(folder: &Path, text: &str) -> bool {
    let sources = files(folder, "rs").into_iter().filter(|path| !path.ends_with("documented_commands.rs"));
    sources
        .filter(|path| !path.components().any(|part| part.as_os_str() == "target"))
        .any(|path| std::fs::read_to_string(path).is_ok_and(|source| source.contains(text)))
}

#[test]
fn every_command_of_the_documents_is_taken_by_its_program() {
    let mut wrong = Vec::new();
    let mut count = [0; 2];
    for (path, text) in documents() {
        for command in commands(&text) {
            count[usize::from(command.is_whole)] += 1;
            if let Err(message) = command.check() {
                wrong.push(format!("{}: {}\n    {}", path.display(), command.words.join(" "), message.trim_end()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let [quoted, whole] = count;
    assert!(whole >= 40 && quoted >= 60, "{whole} commands in blocks and {quoted} in sentences: are they still found?");
}

#[test]
fn mistaken_commands_are_found() {
    let of = |line: &str, is_whole| Documented::parse(line, is_whole).check();
    for line in [
        "sph run scenes/dam_break.toml --untill 1",
        "sph run scenes/dam_brake.toml",
        "sph run scenes/dam_break.toml --set particles.spacing",
        "sph rum",
        "cargo xtask tset",
        "cargo xtask soak --hours 1",
        "cargo test -p sph-cure",
        "cargo test -p sph-core --test gilded",
        "cargo test -p viewer a_test_that_nobody_wrote",
        "cargo test -p viewer --test integration a_test_that_nobody_wrote",
        "cargo run -p viewer --example playback_price",
        "cargo bench --manifest-path benchmarks/Cargo.toml -- --recrod x.csv",
        "cargo bench --manifest-path benches/Cargo.toml",
        "cargo install --path crates/view",
        "cargo frobnicate",
        "GILDED=update cargo test -p sph-core --test golden",
    ] {
        assert!(of(line, true).is_err(), "{line}");
    }
    assert!(of("sph run --stats FILE", false).is_ok() && of("sph render --grid a|b", false).is_ok());
    assert!(of("sph run --statistics FILE", false).is_err() && of("sph rum --stats FILE", false).is_err());
}

#[test]
fn commands_are_split_as_by_a_shell() {
    let text = "`a`\n```console\n$ A=1 sph run x --by \"0:1 2\" | jq # no\nsph: said\n$ cargo bench -- \\\n    --rounds 2\n```\nand `sph --help`.";
    let found = commands(text);
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    assert_eq!(
        found[0],
        Documented { variables: words(&["A=1"]), words: words(&["sph", "run", "x", "--by", "0:1 2"]), is_whole: true }
    );
    assert_eq!(found[1].words, words(&["cargo", "bench", "--", "--rounds", "2"]));
    assert_eq!((found[2].words.clone(), found[2].is_whole, found.len()), (words(&["sph", "--help"]), false, 3));
}
