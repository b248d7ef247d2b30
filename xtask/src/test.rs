//! Every test, and one line at the end that counts them.

mod fuzz;
mod report;

use std::fs;

use crate::failure::{Failure, Outcome};
use crate::requirements::{self, C_TOOLS, CHROMIUM, PING, POSTGRESQL, install};
use crate::shell::{announce, cargo, command, npm, root, run, run_reading, succeeds, target_directory};
use crate::{console, guest_image, preview};
use report::{Counts, DOC_TESTS, Report};

/// A part of the tests that can run on its own.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Stage {
    /// Unit and integration tests of the Rust crates, on SQLite and PostgreSQL
    Rust,
    /// The examples in the Rust documentation
    Doc,
    /// Type check and unit tests of the console
    Console,
    /// Requests of every kind that the OpenAPI document allows, and of others, to the real server
    Fuzz,
    /// The real server and the technical preview in a real browser
    Browser,
    /// The technical preview: the core built for browsers, its size, and what scripts can do with it
    Wasm,
}

/// Runs `stages`, or all when none is named; goes through to the end before it fails.
pub fn test(stages: &[Stage]) -> Outcome {
    let wanted = |stage| stages.is_empty() || stages.contains(&stage);
    prepare(wanted(Stage::Rust), wanted(Stage::Browser))?;
    let mut report = Report::default();
    if wanted(Stage::Console) {
        console_tests(&mut report)?;
    }
    if wanted(Stage::Rust) {
        rust_tests(&mut report)?;
    }
    if wanted(Stage::Doc) {
        documentation_tests(&mut report)?;
    }
    if wanted(Stage::Fuzz) {
        fuzz_tests(&mut report, !wanted(Stage::Rust))?;
    }
    if wanted(Stage::Browser) {
        browser_tests(&mut report, !wanted(Stage::Rust) && !wanted(Stage::Fuzz))?;
    }
    if wanted(Stage::Wasm) {
        preview_tests(&mut report)?;
    }
    report.close()
}

fn preview_tests(report: &mut Report) -> Outcome {
    let built = preview::package().and_then(|package| preview::check_size(&package).map(|()| package));
    let Some(package) = or_failed("Preview", built, report) else { return Ok(()) };
    announce("Testing what scripts can do with the preview.");
    let mut counts = Counts::default();
    let mut node = command("node");
    node.args(["--test", "--test-reporter=tap", "crates/preview/tests/page.test.mjs"]);
    let passed = run_reading(node.env("CROFT_PREVIEW_PACKAGE", package), |line| counts.add_tap_line(line))?;
    report.add("Preview", passed, Some(counts));
    Ok(())
}

fn prepare(rust: bool, browser: bool) -> Outcome {
    install(&[C_TOOLS])?;
    if rust {
        requirements::nextest()?;
        if let Err(failure) = install(&[POSTGRESQL]) {
            if std::env::var_os("CROFT_REQUIRE_POSTGRES").is_some() {
                return Err(failure);
            }
            announce(&format!("No PostgreSQL ({failure}). The tests run on SQLite alone."));
        }
    }
    if (rust || browser)
        && let Err(failure) = guest_image::build(&guest_image::Arguments::default())
    {
        if std::env::var_os("CROFT_REQUIRE_QEMU").is_some() {
            return Err(failure);
        }
        announce(&format!("No real machines ({failure}). Their tests are skipped."));
    }
    if browser {
        requirements::nextest()?;
        install(&[CHROMIUM, PING])?;
        console::install_packages("e2e")?;
    }
    // The server embeds the console, so its tests need it as well.
    console::build()
}

fn console_tests(report: &mut Report) -> Outcome {
    announce("Testing the console.");
    let typed = succeeds(npm("console").args(["run", "--silent", "check"]))?;
    report.add("tsc", typed, Some(Counts::one(typed)));
    let results = fresh_results("vitest.json")?;
    let passed = succeeds(npm("console").args(["run", "--silent", "test", "--"]).args([
        "--reporter=default".to_owned(),
        "--reporter=json".to_owned(),
        format!("--outputFile.json={}", results.display()),
    ]))?;
    report.add("vitest", passed, report::vitest(&results));
    Ok(())
}

fn rust_tests(report: &mut Report) -> Outcome {
    announce("Testing the Rust crates.");
    let results = target_directory().join("nextest/default/junit.xml");
    remove_if_there(&results)?;
    let passed = succeeds(cargo().args(["nextest", "run", "--locked", "--workspace", "--no-tests", "fail"]))?;
    report.add("nextest", passed, report::junit(&results));
    Ok(())
}

fn documentation_tests(report: &mut Report) -> Outcome {
    announce("Testing the examples in the documentation.");
    let mut counts = Counts::default();
    let passed = run_reading(cargo().args(["test", "--locked", "--workspace", "--doc"]), |line| {
        counts.add_libtest_line(line);
    })?;
    report.add(DOC_TESTS, passed, Some(counts));
    Ok(())
}

fn fuzz_tests(report: &mut Report, build: bool) -> Outcome {
    if build {
        announce("Building the server, as its own tests build it.");
        run(cargo().args(["nextest", "run", "--locked", "--workspace", "--no-run"]))?;
    }
    for document in &fuzz::DOCUMENTS {
        let results = fresh_results(&format!("{}.xml", document.part))?;
        let passed = fuzz::run_against(document, &results)?;
        report.add(document.part, passed, report::junit(&results));
    }
    Ok(())
}

fn browser_tests(report: &mut Report, build: bool) -> Outcome {
    if build {
        announce("Building the server, as its own tests build it.");
        run(cargo().args(["nextest", "run", "--locked", "--workspace", "--no-run"]))?;
    }
    console::build_gallery()?;
    // Without a preview, the server is tested nevertheless.
    let site = or_failed("Site of the preview", preview::local_site(), report);
    announce("Testing in the browser.");
    let results = fresh_results("playwright.json")?;
    let mut playwright = npm("e2e");
    playwright
        .args(["run", "--silent", "test"])
        .env("CROFT_SERVER", target_directory().join("debug/croft"))
        .env("PLAYWRIGHT_JSON_OUTPUT_NAME", &results);
    if let Some(site) = site {
        playwright.env("CROFT_PREVIEW_SITE", site);
    }
    let passed = succeeds(&mut playwright)?;
    report.add("Playwright", passed, report::playwright(&results));
    Ok(())
}

/// What was built; if it could not be, that is told and counts as a test that has failed.
fn or_failed<T>(what: &'static str, built: Outcome<T>, report: &mut Report) -> Option<T> {
    match built {
        Ok(built) => Some(built),
        Err(failure) => {
            announce(&failure.to_string());
            report.add(what, false, Some(Counts::one(false)));
            None
        }
    }
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
