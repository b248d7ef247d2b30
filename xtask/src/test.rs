//! Every test, and one line at the end that counts them.

mod ahead;
mod fuzz;

use std::fs;
use std::process::Command;

use crate::failure::{Failure, Outcome};
use crate::report::{self, Counts, DOC_TESTS, Report, Results};
use crate::requirements::{self, C_TOOLS, CHROMIUM, OPENSSL, PING, POSTGRESQL, install};
use crate::shell::{
    announce, cargo, command, linting_cargo, npm, root, run, run_reading, succeeds, target_directory,
};
use crate::{console, guest_image, package, preview};
use ahead::Ahead;
pub use ahead::release_program;

/// A part of the tests that can run on its own.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Stage {
    /// Unit and integration tests of the Rust crates, on SQLite and PostgreSQL
    Rust,
    /// The examples in the Rust documentation
    Doc,
    /// Unit tests of the console
    Console,
    /// Requests of every kind that the OpenAPI document allows, and of others, to the real server
    Fuzz,
    /// The real server and the technical preview in a real browser
    Browser,
    /// The technical preview: the core built for browsers, its size, and what scripts can do with it
    Wasm,
    /// The Debian package in a fresh Debian root: installed, started, upgraded, removed; only if it is named, and as root
    Package,
}

/// How the Rust code is built for the tests.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Build {
    /// What is quick after a change: the browser tests use the server that the Rust tests have built.
    Development,
    /// The tests are linted while they are built, and the browser tests use the server as it is installed.
    Ci,
}

impl Build {
    /// The cargo that builds and runs tests.
    fn cargo(self) -> Command {
        match self {
            Self::Development => cargo(),
            Self::Ci => linting_cargo(),
        }
    }

    /// Builds the server and every Rust test.
    fn build_tests(self, report: &mut Report) -> Outcome {
        announce("Building the server and its tests.");
        if self == Self::Ci {
            install(&[OPENSSL])?;
        }
        if self == Self::Development {
            return report.prepare("build of the Rust tests", || {
                run(cargo().args(["nextest", "run", "--locked", "--workspace", "--no-run"]))
            });
        }
        let mut is_built = false;
        report.check("clippy and build of the Rust tests", || {
            // All targets, as Clippy has to see examples and benchmarks as well; all lints, not only those of the first crate.
            let build = ["test", "--locked", "--workspace", "--all-targets", "--no-run", "--no-fail-fast"];
            is_built = succeeds(self.cargo().args(build))?;
            Ok(is_built)
        });
        if is_built { Ok(()) } else { Err(Failure::new("the Rust tests are not built, or have lints")) }
    }
}

/// Runs `stages`, or all when none is named; goes through to the end before it fails.
pub fn test(stages: &[Stage]) -> Outcome {
    let mut report = Report::default();
    let outcome = add_to(&mut report, stages, Build::Development);
    let closed = report.close();
    outcome.and(closed)
}

/// Runs `stages`, or all when none is named.
pub fn add_to(report: &mut Report, stages: &[Stage], build: Build) -> Outcome {
    if stages.contains(&Stage::Package) {
        report.check("package", package::test::run_test);
        if stages == [Stage::Package] {
            return Ok(());
        }
    }
    let wanted = |stage| stages.is_empty() || stages.contains(&stage);
    prepare(report, wanted(Stage::Rust), wanted(Stage::Browser))?;
    if wanted(Stage::Console) {
        console_tests(report);
    }
    if wanted(Stage::Rust) || wanted(Stage::Fuzz) || wanted(Stage::Browser) {
        build.build_tests(report)?;
    }
    let browser_needs = (build == Build::Ci && wanted(Stage::Browser)).then(ahead::programs);
    if wanted(Stage::Rust) {
        report.test("nextest", || rust_tests(build));
    }
    if wanted(Stage::Doc) {
        report.test(DOC_TESTS, || documentation_tests(build));
    }
    if wanted(Stage::Fuzz) {
        for document in &fuzz::DOCUMENTS {
            report.test(document.part, || {
                let results = fresh_results(&format!("{}.xml", document.part))?;
                let passed = fuzz::run_against(document, &results)?;
                Ok((passed, report::junit(&results)))
            });
        }
    }
    let size_of_preview = wanted(Stage::Wasm).then(ahead::size_of_preview);
    if wanted(Stage::Browser) {
        browser_tests(report, build, browser_needs);
    }
    if let Some(size) = size_of_preview {
        preview_tests(report, size);
    }
    Ok(())
}

fn preview_tests(report: &mut Report, size: Ahead<()>) {
    let mut package = None;
    report.check("preview", || {
        size.wait()?;
        package = Some(preview::package()?);
        Ok(true)
    });
    let Some(package) = package else { return };
    report.test("tests of the preview", || {
        announce("Testing what scripts can do with the preview.");
        let mut counts = Counts::default();
        let mut node = command("node");
        node.args(["--test", "--test-reporter=tap", "crates/preview/tests/page.test.mjs"]);
        let passed =
            run_reading(node.env("CROFT_PREVIEW_PACKAGE", package), |line| counts.add_tap_line(line))?;
        Ok((passed, Some(counts.into())))
    });
}

fn prepare(report: &mut Report, rust: bool, browser: bool) -> Outcome {
    report.prepare("tools", || install_tools(rust, browser))?;
    if rust || browser {
        report.prepare("guest image", || match guest_image::build(&guest_image::Arguments::default()) {
            Err(failure) if std::env::var_os("CROFT_REQUIRE_QEMU").is_none() => {
                announce(&format!("No real machines ({failure}). Their tests are skipped."));
                Ok(())
            }
            built => built,
        })?;
    }
    // The server embeds the console, so its tests need it as well.
    report.prepare("console build", console::build)
}

fn install_tools(rust: bool, browser: bool) -> Outcome {
    install(&[C_TOOLS])?;
    requirements::nextest()?;
    if rust && let Err(failure) = install(&[POSTGRESQL]) {
        if std::env::var_os("CROFT_REQUIRE_POSTGRES").is_some() {
            return Err(failure);
        }
        announce(&format!("No PostgreSQL ({failure}). The tests run on SQLite alone."));
    }
    if browser {
        install(&[CHROMIUM, PING])?;
        console::install_packages("e2e")?;
    }
    Ok(())
}

fn console_tests(report: &mut Report) {
    announce("Testing the console.");
    report.test("vitest", || {
        let results = fresh_results("vitest.json")?;
        let passed = succeeds(npm("console").args(["run", "--silent", "test", "--"]).args([
            "--reporter=default".to_owned(),
            "--reporter=json".to_owned(),
            format!("--outputFile.json={}", results.display()),
        ]))?;
        Ok((passed, report::vitest(&results)))
    });
}

fn rust_tests(build: Build) -> Outcome<(bool, Option<Results>)> {
    announce("Testing the Rust crates.");
    let results = target_directory().join("nextest/default/junit.xml");
    remove_if_there(&results)?;
    let passed =
        succeeds(build.cargo().args(["nextest", "run", "--locked", "--workspace", "--no-tests", "fail"]))?;
    Ok((passed, report::junit(&results)))
}

fn documentation_tests(build: Build) -> Outcome<(bool, Option<Results>)> {
    announce("Testing the examples in the documentation.");
    let mut counts = Counts::default();
    let passed = run_reading(build.cargo().args(["test", "--locked", "--workspace", "--doc"]), |line| {
        counts.add_libtest_line(line);
    })?;
    Ok((passed, Some(counts.into())))
}

fn browser_tests(report: &mut Report, build: Build, begun: Option<Ahead<()>>) {
    let server = match build {
        Build::Development => target_directory().join("debug/croft"),
        Build::Ci => {
            let mut is_built = false;
            report.check("release program", || {
                // Whatever it failed at fails again below, where it is seen.
                let _ = begun.map(Ahead::wait);
                ahead::release_program()?;
                is_built = true;
                Ok(true)
            });
            if !is_built {
                return;
            }
            target_directory().join("release/croft")
        }
    };
    report.check("gallery", || console::build_gallery().map(|()| true));
    // Without a preview, the server is tested nevertheless.
    let mut site = None;
    report.check("site of the preview", || {
        site = Some(preview::local_site()?);
        Ok(true)
    });
    report.test("Playwright", || {
        announce("Testing in the browser.");
        let results = fresh_results("playwright.json")?;
        let mut playwright = npm("e2e");
        playwright
            .args(["run", "--silent", "test"])
            .env("CROFT_SERVER", server)
            .env("PLAYWRIGHT_JSON_OUTPUT_NAME", &results);
        if let Some(site) = site {
            playwright.env("CROFT_PREVIEW_SITE", site);
        }
        if build == Build::Ci {
            playwright.env("CROFT_PICTURES", "no");
        }
        let passed = succeeds(&mut playwright)?;
        Ok((passed, report::playwright(&results)))
    });
}

/// A path for a runner's machine-readable results, with nothing left there from an earlier run.
fn fresh_results(name: &str) -> Outcome<std::path::PathBuf> {
    let folder = target_directory().join("test-results");
    fs::create_dir_all(&folder)?;
    let path = folder.join(name);
    remove_if_there(&path)?;
    Ok(path)
}

fn remove_if_there(path: &std::path::Path) -> Outcome {
    match fs::remove_file(path) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(Failure::new(format!(
            "cannot remove {}: {error}",
            path.strip_prefix(root()).unwrap_or(path).display()
        ))),
        _ => Ok(()),
    }
}
