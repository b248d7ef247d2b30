//! Croft's developer jobs: `cargo xtask --help` lists them.
//!
//! Each job installs what it needs, says so, and can be run again at no cost.

#[cfg(test)]
mod architecture_page;
mod bench;
mod check;
mod ci;
mod console;
mod contract;
#[cfg(test)]
mod control_modules;
#[cfg(test)]
mod documentation_examples;
mod example;
mod failure;
mod golden;
mod guest_image;
mod links;
mod openapi;
mod package;
mod preview;
mod report;
mod requirements;
#[cfg(test)]
mod security_page;
mod serve;
mod server;
mod shell;
mod supply_chain;
mod test;
mod wasm;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Developer jobs of Croft. Each installs what it needs (through apt, npm and cargo), tells why, and skips what is done.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    #[command(subcommand)]
    job: Job,
}

#[derive(Subcommand)]
enum Job {
    /// Build everything and start Croft with the console, from a fresh machine
    ///
    /// The first start prints the address, the administrator's name and a password that is shown only once. Data is
    /// kept in `.croft/`; delete that folder to start over.
    Run(serve::Arguments),
    /// Run every test, or the named stages
    ///
    /// Installs the test runner, a browser, a PostgreSQL server, QEMU with what sets up networks, and the WebAssembly
    /// compiler where they are missing. The last line counts all tests: `N passed, N failed`. Set CROFT_REQUIRE_POSTGRES=1 to fail where
    /// PostgreSQL cannot be had, instead of testing on SQLite alone, and CROFT_REQUIRE_QEMU=1 to fail where QEMU cannot
    /// be had, instead of skipping the tests of real machines.
    Test {
        /// Stages to run; all of them if none is named
        stages: Vec<test::Stage>,
    },
    /// Check formatting, lints, types, unused exports, the console's size, the dependencies, the wire contract and
    /// the links of the documents
    Check {
        /// Parts to check; all of them if none is named
        parts: Vec<check::Part>,
    },
    /// Check and test everything, as it must be green before a change lands
    ///
    /// Ends with a table of what each stage took, the slowest tests, what was skipped and why, and the whole beside the budget
    /// of wall time.
    Ci,
    /// Take new snapshots of the advisories about dependencies, which `check` compares the lock files with
    ///
    /// Needs a machine that reaches npm's registry, or a clone of RustSec's database.
    Advisories(supply_chain::Arguments),
    /// Format all code in place
    Fmt,
    /// Generate openapi.json and openapi-croft.json from the Rust types
    Openapi,
    /// Generate the console's API client from both of them
    Client,
    /// Keep databases of the present schema version, which tests of this and every later version open
    ///
    /// Written to `crates/store/tests/golden`: a SQLite file, a PostgreSQL dump and a telemetry file with an example of
    /// every record. The files of QEMU's machines and disks are written to `crates/sled/tests/golden`. Needs a PostgreSQL
    /// server. Run it once a migration is complete.
    Golden,
    /// Build what people install: a Debian package, a tarball and a container image, with checksums and a list of contents
    ///
    /// Written to `target/package/`, from the server as it is built for release. Everything has the time of the commit, so that the
    /// same commit gives the same files on the same system. The Debian package suits the release of Debian that it is built on, and
    /// later ones.
    Package,
    /// Build a small bootable Linux disk to try real machines with
    ///
    /// Written to `target/guest-image/`, raw and as qcow2, from Debian's kernel and busybox. It takes its name and its
    /// SSH keys from the machine's cidata volume, keeps the files of root's home, and lets root log in on the serial
    /// port without a password.
    GuestImage(guest_image::Arguments),
    /// Add the example of a resource to a copy of the tree, count what it touches, and build and test it
    ///
    /// The example is in `xtask/example`, and CONTRIBUTING.md walks through it. The copy is in `target/example/tree`, with compiled
    /// code beside it. Fails if a new resource takes more files or lines than it may.
    Example,
    /// Compare openapi.json with the wire contract
    Contract(contract::Arguments),
    /// Measure the whole server and the console's screens, and write docs/benchmarks.md
    ///
    /// Every figure stands beside a control of the same run. Takes about a quarter of an hour; leave the machine alone
    /// meanwhile.
    Bench(bench::Arguments),
    /// Build the technical preview: the console as a static site, with the whole control plane inside the browser
    ///
    /// The site is written to `target/preview/site`, for any static host that answers unknown paths with `404.html`.
    /// The module that does it is in `target/preview/package`, with the glue and types for scripts.
    Preview(preview::Arguments),
    /// Check that the core compiles for WebAssembly
    ///
    /// Uses rustup's target where rustup can add it; otherwise Debian's compiler with the standard library's source,
    /// in a target directory of its own.
    Wasm,
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().job {
        Job::Run(arguments) => serve::serve(&arguments),
        Job::Test { stages } => test::test(&stages),
        Job::Check { parts } => check::check(&parts),
        Job::Ci => ci::run(),
        Job::Advisories(arguments) => supply_chain::refresh(&arguments),
        Job::Fmt => check::format(),
        Job::Openapi => openapi::generate(),
        Job::Client => console::generate_client(),
        Job::Golden => golden::make(),
        Job::Package => package::package(),
        Job::GuestImage(arguments) => guest_image::build(&arguments),
        Job::Example => example::run(),
        Job::Contract(arguments) => contract::run(&arguments),
        Job::Bench(arguments) => bench::bench(&arguments),
        Job::Preview(arguments) => preview::preview(&arguments),
        Job::Wasm => wasm::check(),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("\nerror: {failure}");
            ExitCode::FAILURE
        }
    }
}
