//! What the jobs need beside Rust and Node, and how it gets onto the machine.
//!
//! Every step looks first and installs only what is missing, so that running it again costs nothing.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::process::Command;

use crate::failure::{Failure, Outcome};
use crate::shell::{announce, capture, cargo, command, find, run, succeeds};

/// Something that Debian's packages provide.
#[derive(Clone, Copy)]
pub struct Requirement {
    /// What it is, for people.
    what: &'static str,
    why: &'static str,
    packages: &'static [&'static str],
    present: fn() -> bool,
}

/// A C compiler, make and Perl.
pub const C_TOOLS: Requirement = Requirement {
    what: "a C compiler, make and Perl",
    why: "SQLite, and the TLS library of the public client in the tests, are compiled from C",
    packages: &["build-essential", "perl"],
    present: || ["cc", "make", "perl"].iter().all(|program| find(program).is_some()),
};

/// OpenSSL as Debian has compiled it.
pub const OPENSSL: Requirement = Requirement {
    what: "OpenSSL with its headers",
    why: "the public client in the tests uses it; compiling it from its source takes minutes",
    packages: &["libssl-dev", "pkg-config"],
    present: || {
        let look = command("pkg-config").args(["--exists", "openssl"]).output();
        look.is_ok_and(|look| look.status.success())
    },
};

/// The browser that the end-to-end tests drive.
pub const CHROMIUM: Requirement = Requirement {
    what: "Chromium",
    why: "the end-to-end tests use a real browser",
    packages: &["chromium"],
    present: || Path::new("/usr/bin/chromium").is_file(),
};

/// A PostgreSQL server that the tests start by themselves.
pub const POSTGRESQL: Requirement = Requirement {
    what: "a PostgreSQL server",
    why: "the store's tests run on PostgreSQL as well as on SQLite",
    packages: &["postgresql"],
    present: || postgresql_programs().is_some(),
};

/// What runs real machines, and what makes their disks.
pub const QEMU: Requirement = Requirement {
    what: "QEMU",
    why: "real machines are run in the tests",
    packages: &["qemu-system-x86", "qemu-utils"],
    present: || ["qemu-system-x86_64", "qemu-img"].iter().all(|program| find(program).is_some()),
};

/// What sets up networks for real machines.
pub const NETWORK_TOOLS: Requirement = Requirement {
    what: "nftables, dnsmasq and iproute2",
    why: "real machines are in real networks in the tests",
    packages: &["nftables", "dnsmasq-base", "iproute2"],
    present: || ["nft", "dnsmasq", "ip"].iter().all(|program| system_program(program)),
};

/// What asks whether an address is there.
pub const PING: Requirement = Requirement {
    what: "ping",
    why: "the end-to-end tests reach guests from their host",
    packages: &["iputils-ping"],
    present: || system_program("ping"),
};

/// What makes ext4 file systems.
pub const E2FSPROGS: Requirement = Requirement {
    what: "mke2fs",
    why: "the guest image keeps its files on ext4",
    packages: &["e2fsprogs"],
    present: || system_program("mke2fs"),
};

/// What makes a Debian root.
pub const MMDEBSTRAP: Requirement = Requirement {
    what: "mmdebstrap",
    why: "the Debian package is installed in a fresh Debian root",
    packages: &["mmdebstrap"],
    present: || find("mmdebstrap").is_some(),
};

/// Python with what makes environments.
pub const PYTHON: Requirement = Requirement {
    what: "Python with venv",
    why: "the tests that make requests from the OpenAPI document are run by a Python program",
    packages: &["python3", "python3-venv"],
    present: || {
        let look = command("python3").args(["-c", "import ensurepip, venv"]).output();
        look.is_ok_and(|look| look.status.success())
    },
};

/// clang with its linker and archiver.
pub const CLANG: Requirement = Requirement {
    what: "clang, lld and llvm-ar",
    why: "SQLite is compiled to WebAssembly",
    packages: &["clang", "lld", "llvm"],
    present: || ["clang", "wasm-ld", "llvm-ar"].iter().all(|program| find(program).is_some()),
};

/// Debian's compiler with the standard library's source.
pub const DEBIAN_RUST: Requirement = Requirement {
    what: "Debian's Rust compiler with the standard library's source",
    why: "rustup could not add the WebAssembly target here, so its standard library is compiled from source",
    packages: &["rustc-web", "cargo-web", "rust-web-src"],
    present: || Path::new("/usr/bin/cargo").is_file() && installed("rust-web-src") && installed("rustc-web"),
};

/// Whether a program is there that may be in a folder for administrators alone.
fn system_program(program: &str) -> bool {
    find(program).is_some()
        || ["/usr/sbin", "/sbin"].iter().any(|folder| Path::new(folder).join(program).is_file())
}

/// Installs what is missing of `wanted`, in one go.
pub fn install(wanted: &[Requirement]) -> Outcome {
    let missing: Vec<_> = wanted.iter().filter(|requirement| !(requirement.present)()).collect();
    if missing.is_empty() {
        return Ok(());
    }
    for requirement in &missing {
        announce(&format!("Installing {}: {}.", requirement.what, requirement.why));
        apt_install(requirement.packages)?;
    }
    match missing.iter().find(|requirement| !(requirement.present)()) {
        None => Ok(()),
        Some(absent) => Err(Failure::new(format!(
            "{} is still not there after installing {}; install it by hand, then run this again",
            absent.what,
            absent.packages.join(" ")
        ))),
    }
}

/// Checks that Node is there and new enough for the console's tools.
pub fn node() -> Outcome {
    const NEEDED: (u32, u32) = (20, 19);
    let hint = "install Node 20.19 or newer (https://nodejs.org), then run this again";
    if find("node").is_none() || find("npm").is_none() {
        return Err(Failure::new(format!("node and npm are not installed; {hint}")));
    }
    let printed = capture(command("node").arg("--version"))?;
    match node_version(&printed) {
        Some(version) if version >= NEEDED => Ok(()),
        _ => Err(Failure::new(format!("Node {} is too old; {hint}", printed.trim()))),
    }
}

/// Installs the test runner unless cargo already has it.
pub fn nextest() -> Outcome {
    if find("cargo-nextest").is_some() {
        return Ok(());
    }
    announce(
        "Installing cargo-nextest: it runs each Rust test in a process of its own. This takes some minutes, once.",
    );
    run(cargo().args(["install", "--locked", "cargo-nextest"]))
}

/// The folder with `initdb` and `postgres` of the newest installed PostgreSQL.
fn postgresql_programs() -> Option<std::path::PathBuf> {
    let versions = std::fs::read_dir("/usr/lib/postgresql").ok()?;
    let mut found: Vec<_> = versions
        .filter_map(|entry| Some(entry.ok()?.path().join("bin")))
        .filter(|programs| programs.join("initdb").is_file() && programs.join("postgres").is_file())
        .collect();
    found.sort();
    found.pop()
}

/// Lets every user open links of guests, as machines without udev do not.
pub fn open_link_device() -> Outcome {
    const DEVICE: &str = "/dev/net/tun";
    let Ok(device) = std::fs::metadata(DEVICE) else { return Ok(()) };
    if device.mode() & 0o006 == 0o006 {
        return Ok(());
    }
    announce(&format!("Opening {DEVICE} to all users: machines run as users without rights in the tests."));
    let arguments = ["0666", DEVICE];
    run(as_root("chmod", &format!("chmod {}", arguments.join(" ")))?.args(arguments))
}

/// apt-get with these arguments, as root.
fn apt(arguments: &[&str]) -> Outcome<Command> {
    let by_hand = format!("apt-get {}", arguments.join(" "));
    if find("apt-get").is_none() {
        return Err(Failure::new(format!(
            "this machine has no apt-get; do with its own tool what this would do on Debian, \
             then run this again: {by_hand}"
        )));
    }
    let mut apt = as_root("env", &by_hand)?;
    apt.args(["DEBIAN_FRONTEND=noninteractive", "apt-get"]).args(arguments);
    Ok(apt)
}

/// A program that runs as root. `by_hand` is what people can do where that is not possible.
fn as_root(program: &str, by_hand: &str) -> Outcome<Command> {
    if capture(command("id").arg("-u"))?.trim() == "0" {
        return Ok(command(program));
    }
    if find("sudo").is_none() {
        return Err(Failure::new(format!(
            "this needs root, and sudo is not here; run this as root, then try again: {by_hand}"
        )));
    }
    let mut sudo = command("sudo");
    sudo.arg(program);
    Ok(sudo)
}

/// Has apt look for what is new.
pub fn apt_update() -> Outcome {
    run(&mut apt(&["update"])?)
}

fn apt_install(packages: &[&str]) -> Outcome {
    let mut arguments = vec!["install", "--yes", "--no-install-recommends"];
    arguments.extend(packages);
    // A machine whose lists are fresh saves the download; elsewhere the first try fails at once.
    if succeeds(&mut apt(&arguments)?)? {
        return Ok(());
    }
    apt_update()?;
    if succeeds(&mut apt(&arguments)?)? {
        return Ok(());
    }
    // One of the packages may be here from elsewhere, in a version that the others do not go together with.
    let versions =
        packages.iter().map(|package| candidate(packages[0]).map(|version| format!("{package}={version}")));
    let same: Vec<String> = versions.collect::<Option<_>>().unwrap_or_default();
    let mut arguments = vec!["install", "--yes", "--no-install-recommends", "--allow-downgrades"];
    arguments.extend(same.iter().map(String::as_str));
    if packages.len() > 1 && !same.is_empty() && succeeds(&mut apt(&arguments)?)? {
        return Ok(());
    }
    let by_hand = format!("apt-get install {}", packages.join(" "));
    Err(Failure::new(format!("the installation failed; run this as root, then try again: {by_hand}")))
}

/// The version of a package that would be installed.
fn candidate(package: &str) -> Option<String> {
    let policy = capture(command("apt-cache").args(["policy", package])).ok()?;
    policy.lines().find_map(|line| line.trim().strip_prefix("Candidate: ")).map(str::to_owned)
}

fn installed(package: &str) -> bool {
    command("dpkg-query")
        .args(["--show", "--showformat=${db:Status-Status}", package])
        .output()
        .is_ok_and(|output| output.stdout == b"installed")
}

fn node_version(printed: &str) -> Option<(u32, u32)> {
    let mut numbers = printed.trim().strip_prefix('v')?.split('.');
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::node_version;

    #[test]
    fn node_versions_compare_as_numbers() {
        assert_eq!(node_version("v20.19.2\n"), Some((20, 19)));
        assert!(node_version("v20.9.0") < Some((20, 19)));
        assert!(node_version("v100.0.0") > Some((20, 19)));
        assert_eq!(node_version("nonsense"), None);
    }
}
