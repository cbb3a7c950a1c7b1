//! `cargo xtask bench --build`: how long builds take, and how large what they make is.

use crate::workspace;
use anyhow::{Context, Result, bail};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;
use std::{fs, process::Command};

const USAGE: &str = "\
usage: cargo xtask bench --build [--runs N] [--out FILE]

Measures builds on a copy of the tracked files: the two commands of the README from nothing, programs that depend on
the library, tests after a change of one line, and the drop-in libraries. Each is measured N times (3 by default), and
FILE, docs/build.md by default, gets the medians. It takes about half an hour for each run; the machine should
do nothing else. The registry's packages are fetched before.";

/// A build, and how it is measured.
struct Scenario {
    what: &'static str,
    goal: Goal,
    measure: fn(&Copy) -> Result<Sample>,
}

/// The figures that the project wants to reach on two processors.
enum Goal {
    Wall(f64),
    Cpu(f64),
    /// With the most MB of the file that is made.
    CpuAndSize(f64, f64),
    Size(f64),
}

/// The cost of one run.
#[derive(Clone, Copy, Default)]
struct Sample {
    wall: f64,
    /// Of all processes, in seconds.
    cpu: f64,
    /// Bytes of the file that was made, if that matters.
    bytes: Option<u64>,
}

const SCENARIOS: &[Scenario] = &[
    Scenario {
        what: "README's first command, `cargo run --example quickstart`",
        goal: Goal::Wall(45.0),
        measure: |copy| {
            copy.forget()?;
            copy.cargo(&["run", "--locked", "--example", "quickstart"])
        },
    },
    Scenario {
        what: "README's second command, `cargo test --workspace`, after the first",
        goal: Goal::Wall(240.0),
        measure: |copy| copy.cargo(&["test", "--locked", "--workspace"]),
    },
    Scenario {
        what: "one line of a kernel changed: `cargo test -p cann-kernels`",
        goal: Goal::Wall(20.0),
        measure: |copy| {
            copy.after_a_change("kernels/src/axis/softmax/mod.rs", &["test", "-p", "cann-kernels"])
        },
    },
    Scenario {
        what: "one line of the safe layer changed: `cargo test -p aclnn --lib`",
        goal: Goal::Wall(15.0),
        measure: |copy| copy.after_a_change("src/ops/binary.rs", &["test", "-p", "aclnn", "--lib"]),
    },
    Scenario {
        what: "`cargo build --release` of a program that depends on `aclnn`",
        goal: Goal::Cpu(100.0),
        measure: |copy| copy.dependent("", "", &["build", "--release"]),
    },
    Scenario {
        what: "the same with the profile that the README advises to programs for NPUs",
        goal: Goal::Cpu(100.0),
        measure: |copy| copy.dependent("", &copy.advised_profile("release")?, &["build", "--release"]),
    },
    Scenario {
        what: "a release build without the emulator (`default-features = false`)",
        goal: Goal::Cpu(25.0),
        measure: |copy| copy.dependent(", default-features = false", "", &["build", "--release"]),
    },
    Scenario {
        what: "`cargo build` of one with `ndarray` and `safetensors`, and its size",
        goal: Goal::CpuAndSize(70.0, 80.0),
        measure: |copy| copy.dependent(r#", features = ["ndarray", "safetensors"]"#, "", &["build"]),
    },
    Scenario {
        what: "the same with the profile that the README advises",
        goal: Goal::CpuAndSize(70.0, 80.0),
        measure: |copy| {
            let profile = copy.advised_profile("dev")?;
            copy.dependent(r#", features = ["ndarray", "safetensors"]"#, &profile, &["build"])
        },
    },
    Scenario {
        what: "`cargo xtask toolkit`, and the size of `libcann_stubs.so`",
        goal: Goal::Size(9.0),
        measure: |copy| {
            copy.forget()?;
            let out = copy.root.join("target").join("toolkit");
            let out = out.to_str().context("the target directory is not text")?;
            let sample =
                copy.cargo(&["run", "--quiet", "--package", "xtask", "--", "toolkit", "--out", out])?;
            let library = Path::new(out).join("lib64").join("libcann_stubs.so");
            Ok(Sample { bytes: Some(fs::metadata(library)?.len()), ..sample })
        },
    },
];

/// Measures the builds, and writes the page.
pub(crate) fn run(arguments: &[&str]) -> Result<()> {
    let mut page = workspace::root().join("docs").join("build.md");
    let mut runs = 3;
    let mut arguments = arguments.iter().copied();
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().context(USAGE);
        match argument {
            "--build" => {}
            "--out" => page = PathBuf::from(value()?),
            "--runs" => runs = value()?.parse().ok().filter(|runs| *runs > 0).context(USAGE)?,
            unknown => bail!("{unknown} is not known\n\n{USAGE}"),
        }
    }
    let copy = Copy::make()?;
    let mut samples: Vec<Vec<Sample>> = vec![Vec::new(); SCENARIOS.len()];
    for run in 1..=runs {
        for (scenario, samples) in SCENARIOS.iter().zip(&mut samples) {
            eprintln!("run {run} of {runs}: {}", scenario.what);
            samples.push((scenario.measure)(&copy)?);
        }
    }
    fs::write(&page, text(&samples)?).with_context(|| format!("writing {}", page.display()))?;
    println!("{}", page.display());
    Ok(())
}

/// Prints what the command does.
pub(crate) fn help() {
    println!("{USAGE}");
}

/// A copy of the tracked files, so that nobody's checkout or builds change.
struct Copy {
    root: PathBuf,
}

impl Copy {
    fn make() -> Result<Self> {
        let root = workspace::target().join("build-times");
        if root.exists() {
            fs::remove_dir_all(&root).with_context(|| format!("removing {}", root.display()))?;
        }
        let listed = Command::new("git")
            .args(["ls-files", "-z"])
            .current_dir(workspace::root())
            .output()
            .context("starting git")?;
        for file in String::from_utf8_lossy(&listed.stdout).split('\0').filter(|file| !file.is_empty()) {
            let (from, to) = (workspace::root().join(file), root.join(file));
            if let Some(folder) = to.parent() {
                fs::create_dir_all(folder)?;
            }
            // A file that was removed is still listed.
            if from.exists() {
                fs::copy(&from, &to).with_context(|| format!("copying {file}"))?;
            }
        }
        let copy = Self { root };
        copy.cargo(&["fetch", "--locked"])?;
        Ok(copy)
    }

    /// Forgets every build.
    fn forget(&self) -> Result<()> {
        let target = self.root.join("target");
        if target.exists() {
            fs::remove_dir_all(target)?;
        }
        Ok(())
    }

    /// Runs cargo in a folder of the copy, with builds of its own.
    fn cargo_in(&self, folder: &Path, arguments: &[&str]) -> Result<Sample> {
        let mut cargo = workspace::cargo();
        cargo.args(arguments).current_dir(folder).env_remove("CARGO_TARGET_DIR");
        // What cargo tells this program about its own build would be told to that one too.
        cargo
            .env_remove("CARGO_MANIFEST_DIR")
            .env_remove("LD_LIBRARY_PATH")
            .stdout(std::process::Stdio::null());
        let (before, start) = (cpu_of_children()?, Instant::now());
        let status = cargo.status().context("starting cargo")?;
        let sample =
            Sample { wall: start.elapsed().as_secs_f64(), cpu: cpu_of_children()? - before, bytes: None };
        if !status.success() {
            bail!("cargo {} failed", arguments.join(" "));
        }
        Ok(sample)
    }

    fn cargo(&self, arguments: &[&str]) -> Result<Sample> {
        self.cargo_in(&self.root, arguments)
    }

    /// Builds, changes a line of a file, and measures the same command again.
    fn after_a_change(&self, file: &str, arguments: &[&str]) -> Result<Sample> {
        self.cargo(arguments)?;
        let path = self.root.join(file);
        let source = fs::read_to_string(&path)?;
        // The code must change, since cargo compiles nothing again for a comment that changes no line.
        let changed = format!("{source}\n#[expect(dead_code)]\nconst CHANGED: u32 = {};\n", source.len());
        fs::write(&path, changed)?;
        let sample = self.cargo(arguments);
        fs::write(&path, source)?;
        sample
    }

    /// Returns the lines that the README advises programs to have in their manifests, for a profile.
    fn advised_profile(&self, name: &str) -> Result<String> {
        let readme = fs::read_to_string(self.root.join("README.md"))?;
        let blocks = readme.split("```toml\n").skip(1);
        let mut blocks = blocks.filter_map(|block| Some(block.split_once("```")?.0.to_owned()));
        blocks
            .find(|block| block.starts_with(&format!("[profile.{name}.")))
            .with_context(|| format!("README.md advises nothing for the profile {name}"))
    }

    /// Makes a program that depends on the library, and builds it from nothing.
    fn dependent(&self, options: &str, profile: &str, arguments: &[&str]) -> Result<Sample> {
        let folder = self.root.join("target").join("dependent");
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        fs::create_dir_all(folder.join("src"))?;
        let manifest = format!(
            "[package]\nname = \"dependent\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[workspace]\n\n\
             [dependencies]\naclnn = {{ path = {:?}{options} }}\n\n{profile}",
            self.root
        );
        fs::write(folder.join("Cargo.toml"), manifest)?;
        // The same versions of packages as in the workspace.
        fs::copy(self.root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
        fs::write(folder.join("src").join("main.rs"), PROGRAM)?;
        let sample = self.cargo_in(&folder, arguments)?;
        let profile = if arguments.contains(&"--release") { "release" } else { "debug" };
        let program = folder.join("target").join(profile).join("dependent");
        Ok(Sample { bytes: Some(fs::metadata(program)?.len()), ..sample })
    }
}

/// A program as a newcomer writes it.
const PROGRAM: &str = "\
use aclnn::{Device, Tensor};

fn main() -> Result<(), aclnn::Error> {
    let device = Device::open(0)?;
    let a = Tensor::from_slice(&device, &[1f32, 2.0, 3.0], [3])?;
    println!(\"{}\", (&a + &a)?);
    Ok(())
}
";

/// Returns the processor seconds of all processes that this one has waited for, and of those that these have waited for.
fn cpu_of_children() -> Result<f64> {
    let stat = fs::read_to_string("/proc/self/stat").context("only Linux tells the time of processes so")?;
    // The name of the program, in parentheses, may contain spaces.
    let (_, fields) = stat.rsplit_once(')').context("/proc/self/stat has no name")?;
    let ticks = fields.split_whitespace().skip(13).take(2).filter_map(|field| field.parse::<f64>().ok());
    // Every Linux that Rust's standard library supports counts a hundred ticks a second.
    Ok(ticks.sum::<f64>() / 100.0)
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    match values.len() % 2 {
        0 => values.get(middle.wrapping_sub(1)..=middle).map_or(0.0, |two| two.iter().sum::<f64>() / 2.0),
        _ => values.get(middle).copied().unwrap_or(0.0),
    }
}

/// The page.
fn text(samples: &[Vec<Sample>]) -> Result<String> {
    let rustc = Command::new("rustc").arg("--version").output().context("starting rustc")?;
    let rustc = String::from_utf8_lossy(&rustc.stdout).trim().to_owned();
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let runs = match samples.first().map_or(0, Vec::len) {
        1 => "one run".to_owned(),
        runs => format!("medians of {runs} runs"),
    };
    let mut text = format!(
        "# How long builds take\n\n`cargo xtask bench --build` wrote this page: {runs} on {processors} \
         processors with {rustc}.\nBuilds are from nothing, with the packages of the registry fetched before; \
         \"processor\" adds up all processes.\n\n\
         | what | seconds | processor seconds | size | goal |\n|---|---|---|---|---|\n"
    );
    for (scenario, samples) in SCENARIOS.iter().zip(samples) {
        let of = |field: fn(&Sample) -> f64| median(samples.iter().map(field).collect());
        let (wall, cpu) = (of(|sample| sample.wall), of(|sample| sample.cpu));
        let megabytes = of(|sample| sample.bytes.unwrap_or(0) as f64) / 1e6;
        let size = if megabytes > 0.0 { format!("{megabytes:.1} MB") } else { String::new() };
        let goal = match scenario.goal {
            Goal::Wall(most) => goal(wall <= most, &format!("{most} s")),
            Goal::Cpu(most) => goal(cpu <= most, &format!("{most} processor s")),
            Goal::CpuAndSize(most, large) => {
                goal(cpu <= most && megabytes <= large, &format!("{most} processor s, {large} MB"))
            }
            Goal::Size(large) => goal(megabytes <= large, &format!("{large} MB")),
        };
        writeln!(text, "| {} | {wall:.1} | {cpu:.1} | {size} | {goal} |", scenario.what)?;
    }
    Ok(text)
}

fn goal(is_met: bool, most: &str) -> String {
    format!("{most}: {}", if is_met { "met" } else { "not met" })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected figures are worked out by hand.
    #[test]
    fn the_page_has_medians_and_says_which_goals_are_met() {
        let sample = |wall, cpu, bytes| Sample { wall, cpu, bytes };
        let mut samples = vec![vec![Sample::default()]; SCENARIOS.len()];
        samples[0] = vec![sample(50.0, 60.0, None), sample(40.0, 80.0, None), sample(44.0, 70.0, None)];
        samples[9] = vec![sample(100.0, 160.0, Some(9_000_000)), sample(90.0, 150.0, Some(9_200_000))];
        let page = text(&samples).unwrap();
        assert!(page.contains("| 44.0 | 70.0 |  | 45 s: met |"), "{page}");
        assert!(page.contains("| 95.0 | 155.0 | 9.1 MB | 9 MB: not met |"), "{page}");
    }

    #[test]
    fn the_time_of_a_child_counts() {
        let before = cpu_of_children().unwrap();
        let busy = "i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done";
        assert!(Command::new("sh").args(["-c", busy]).status().unwrap().success());
        assert!(cpu_of_children().unwrap() > before);
    }
}
