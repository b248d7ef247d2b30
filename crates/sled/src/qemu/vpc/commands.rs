//! Configures the kernel's network with `ip` and `nft`, in a namespace or on the host.

use std::{
    io,
    path::{Path, PathBuf},
    process::Command,
    time::Duration,
};

use serde_json::Value;

use super::super::{options::Programs, process::find_program, programs};
use super::ranges::Family;

/// The command line programs that configure networks.
#[derive(Clone, Debug)]
pub(super) struct Tools {
    ip: PathBuf,
    nft: PathBuf,
    pub(super) dnsmasq: PathBuf,
    pub(super) setpriv: PathBuf,
    pub(super) nsenter: PathBuf,
    /// Time limit for each of them.
    limit: Duration,
}

/// The directory in which `ip netns` creates namespaces.
const NAMESPACES: &str = "/run/netns";

impl Tools {
    /// Finds the programs; fails with the name of a missing one.
    pub(super) fn find(programs: &Programs) -> Result<Self, String> {
        let find = |name: &str| {
            find_program(name, &programs.folders).ok_or_else(|| format!("{name} is not installed"))
        };
        Ok(Self {
            ip: find("ip")?,
            nft: find("nft")?,
            dnsmasq: find("dnsmasq")?,
            setpriv: find("setpriv")?,
            nsenter: find("nsenter")?,
            limit: programs.limit,
        })
    }

    /// Runs a program to its end, and returns its output.
    pub(super) fn run(&self, command: &mut Command, input: Option<&str>) -> io::Result<String> {
        programs::run(command, input, self.limit)
    }

    /// The host's own network.
    pub(super) const fn host(&self) -> Namespace<'_> {
        Namespace { tools: self, namespace: None }
    }

    /// A namespace, whether it exists or not.
    pub(super) const fn space<'a>(&'a self, namespace: &'a str) -> Namespace<'a> {
        Namespace { tools: self, namespace: Some(namespace) }
    }

    /// The names of all namespaces.
    pub(super) fn namespaces() -> io::Result<Vec<String>> {
        match std::fs::read_dir(NAMESPACES) {
            Ok(entries) => {
                entries.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(error),
        }
    }

    /// Creates a namespace if it does not exist.
    pub(super) fn add_namespace(&self, name: &str) -> io::Result<()> {
        if namespace_path(name).exists() {
            return Ok(());
        }
        self.run(Command::new(&self.ip).args(["netns", "add", name]), None).map(drop)
    }

    /// Removes a namespace with all links in it, if it exists.
    pub(super) fn delete_namespace(&self, name: &str) -> io::Result<()> {
        if !namespace_path(name).exists() {
            return Ok(());
        }
        self.run(Command::new(&self.ip).args(["netns", "del", name]), None).map(drop)
    }
}

/// A file for entering the namespace.
pub(super) fn namespace_path(name: &str) -> PathBuf {
    Path::new(NAMESPACES).join(name)
}

/// The network in which commands run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Namespace<'a> {
    tools: &'a Tools,
    namespace: Option<&'a str>,
}

impl Namespace<'_> {
    fn ip(&self, options: &[&str]) -> Command {
        let mut command = Command::new(&self.tools.ip);
        if let Some(namespace) = self.namespace {
            command.args(["-n", namespace]);
        }
        command.args(options);
        command
    }

    /// A command in this network.
    pub(super) fn program(&self, program: &Path) -> Command {
        match self.namespace {
            None => Command::new(program),
            Some(namespace) => {
                let mut command = Command::new(&self.tools.nsenter);
                command.arg(format!("--net={}", namespace_path(namespace).display())).arg("--").arg(program);
                command
            }
        }
    }

    /// Runs lines of `ip -batch`; stops at the first that fails.
    pub(super) fn batch(&self, family: Family, lines: &str) -> io::Result<()> {
        if lines.is_empty() {
            return Ok(());
        }
        self.tools.run(&mut self.ip(&[option(family), "-batch", "-"]), Some(lines)).map(drop)
    }

    /// The JSON output of `ip`. Empty output means an empty list.
    pub(super) fn show(&self, family: Option<Family>, words: &[&str]) -> io::Result<Value> {
        let mut command = self.ip(&["-json", "-statistics"]);
        command.args(family.map(option)).args(words);
        let text = self.tools.run(&mut command, None)?;
        if text.trim().is_empty() {
            return Ok(Value::Array(Vec::new()));
        }
        Ok(serde_json::from_str(&text)?)
    }

    /// The names of the links.
    pub(super) fn links(&self) -> io::Result<Vec<String>> {
        let links = self.show(None, &["link", "show"])?;
        let names = links.as_array().into_iter().flatten().filter_map(|link| link["ifname"].as_str());
        Ok(names.map(str::to_owned).collect())
    }

    /// Applies a ruleset atomically.
    pub(super) fn nft(&self, ruleset: &str) -> io::Result<()> {
        self.tools.run(self.program(&self.tools.nft).args(["-f", "-"]), Some(ruleset)).map(drop)
    }

    /// A numeric setting below `/proc/sys/net`; `None` if the kernel has no such setting, or no such link.
    pub(super) fn setting(&self, path: &str) -> io::Result<Option<i64>> {
        debug_assert!(self.namespace.is_none(), "another namespace's files are not looked at");
        match std::fs::read_to_string(Path::new("/proc/sys/net").join(path)) {
            Ok(text) => text.trim().parse().map(Some).map_err(io::Error::other),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Writes settings below `/proc/sys/net`, each as `path=value`.
    pub(super) fn settings(&self, settings: &[&str]) -> io::Result<()> {
        const SCRIPT: &str = r#"for s; do echo "${s#*=}" >"/proc/sys/net/${s%%=*}" || exit 1; done"#;
        let mut command = self.program(Path::new("/bin/sh"));
        self.tools.run(command.args(["-c", SCRIPT, "sh"]).args(settings), None).map(drop)
    }
}

const fn option(family: Family) -> &'static str {
    match family {
        Family::V4 => "-4",
        Family::V6 => "-6",
    }
}

/// A command in a namespace.
pub(in super::super) fn within(namespace: &str, program: &Path) -> io::Result<Command> {
    let nsenter = find_program("nsenter", &[]).ok_or_else(|| io::Error::other("nsenter is not installed"))?;
    let mut command = Command::new(nsenter);
    command.arg(format!("--net={}", namespace_path(namespace).display())).arg("--").arg(program);
    Ok(command)
}
