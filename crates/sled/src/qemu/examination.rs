//! What this host can do for machines and their networks, found out without touching anything that a server keeps.

use std::{path::PathBuf, process::Command, time::Duration};

use uuid::Uuid;

use super::{
    files::{self, Accounts},
    options::QemuOptions,
    probe::{self, Acceleration},
    process::find_program,
    programs, vpc,
};

/// A program that machines or their networks need, or that helps with their disks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundProgram {
    /// Its name.
    pub name: &'static str,
    /// Where it is, if it is installed.
    pub path: Option<PathBuf>,
    /// Its version, if it tells one.
    pub version: Option<String>,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Examination {
    /// Whether each machine gets a user of its own.
    pub is_root: bool,
    /// The programs, those for machines first.
    pub programs: Vec<FoundProgram>,
    /// How a test guest ran, and why not faster; the reason is empty if there is no faster way. Otherwise why QEMU cannot
    /// be used.
    pub machines: Result<(Acceleration, String), String>,
    /// Whether machines can open their links, or why not.
    pub link_device: Result<(), String>,
    /// Whether guests can be in VPCs, or why not.
    pub vpcs: Result<(), String>,
}

/// The programs that are looked for, each with the argument that makes it tell its version.
const PROGRAMS: [(&str, &str); 5] = [
    ("qemu-system-x86_64", "--version"),
    ("qemu-img", "--version"),
    ("nft", "--version"),
    ("ip", "-V"),
    ("dnsmasq", "--version"),
];

/// Programs tell their version within a tenth of a second; a busy host may be many times slower.
const VERSION_LIMIT: Duration = Duration::from_secs(10);

/// Tries out what [`Qemu::open`](super::Qemu::open) tries, in a temporary folder and a temporary namespace. The folder of
/// the options is not used.
pub fn examine(options: &QemuOptions) -> Examination {
    let accounts = Accounts::available();
    let folder = std::env::temp_dir().join(format!("croft-trial-{}", Uuid::new_v4().simple()));
    let tried = files::passable_folder(&folder, accounts)
        .map_err(|error| format!("{}: {error}", folder.display()))
        .and_then(|()| probe::probe(options, &folder.join("trial"), accounts));
    // What is left of it does no harm.
    let _ = files::remove_folder(&folder);
    Examination {
        is_root: accounts.is_some(),
        programs: PROGRAMS.into_iter().map(|(name, argument)| found(name, argument, options)).collect(),
        machines: tried.map(|found| (found.acceleration, found.reason)),
        link_device: vpc::check_link_device().map_err(|error| error.to_string()),
        vpcs: vpc::examine(accounts, options.external_interface.as_deref(), &options.programs),
    }
}

fn found(name: &'static str, argument: &str, options: &QemuOptions) -> FoundProgram {
    let path = find_program(name, &options.programs.folders);
    let tell = |path: &PathBuf| programs::run(Command::new(path).arg(argument), None, VERSION_LIMIT).ok();
    let version = path.as_ref().and_then(tell).and_then(|told| version_in(&told));
    FoundProgram { name, path, version }
}

/// The first word that looks like a version.
fn version_in(text: &str) -> Option<String> {
    let words = text.split(|character: char| character.is_whitespace() || ",-".contains(character));
    let mut words = words.map(|word| word.trim_start_matches('v'));
    words
        .find(|word| word.starts_with(|first: char| first.is_ascii_digit()) && word.contains('.'))
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_from_what_programs_print() {
        for (text, version) in [
            ("QEMU emulator version 7.2.17 (Debian 1:7.2+dfsg-7)\nCopyright", "7.2.17"),
            ("nftables v1.0.6 (Lester Gooch #5)", "1.0.6"),
            ("ip utility, iproute2-6.1.0, libbpf 1.1.0", "6.1.0"),
            ("Dnsmasq version 2.90  Copyright (c) 2000-2024 Simon Kelley", "2.90"),
        ] {
            assert_eq!(version_in(text).as_deref(), Some(version), "{text}");
        }
        assert_eq!(version_in("no version here"), None);
    }

    #[test]
    fn nothing_is_left_of_an_examination() {
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join("kept");
        let options = QemuOptions { kvm_verdict: Some(Ok(())), ..QemuOptions::in_folder(own.clone()) };
        let found = examine(&options);
        assert_eq!(found.programs.len(), PROGRAMS.len());
        assert!(!own.exists(), "the server's folder is not touched");
        if found.programs[0].path.is_some() {
            assert_eq!(found.machines, Ok((Acceleration::Kvm, String::new())));
            assert!(found.programs[0].version.is_some(), "{found:?}");
        } else {
            assert!(found.machines.unwrap_err().contains("qemu-system-x86_64 is not installed"));
        }
    }
}
