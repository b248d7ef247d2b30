//! The Debian package in a fresh Debian root: installed, started, signed in to, upgraded, removed and purged.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::{debian, fresh, release};
use crate::failure::{Context, Failure, Outcome};
use crate::requirements::{MMDEBSTRAP, install};
use crate::shell::{announce, capture, command, find, run, target_directory};

/// The version that is upgraded.
const EARLIER: &str = "0.0.1";
/// Each file and folder that the package is responsible for, with its permissions and its group.
const OWNED: [(&str, u32, &str); 7] = [
    ("usr/bin/croft", 0o755, "root"),
    ("usr/lib/systemd/system/croft.service", 0o644, "root"),
    ("usr/share/doc/croft/copyright", 0o644, "root"),
    ("usr/share/doc/croft/third-party-notices", 0o644, "root"),
    ("etc/croft", 0o750, "croft"),
    ("etc/croft/croft.toml", 0o640, "croft"),
    ("var/lib/croft", 0o700, "root"),
];
/// A server that starts takes a moment; a busy host may be many times slower.
const START_LIMIT: Duration = Duration::from_secs(30);
const PASSWORD: &str = "initial-password";

/// Runs the test. Needs root, as a Debian root does.
pub fn run_test() -> Outcome<bool> {
    if capture(command("id").arg("-u"))?.trim() != "0" {
        return Err(Failure::new("the test of the package makes a Debian root, which needs root"));
    }
    install(&[MMDEBSTRAP])?;
    let release = release()?;
    let folder = target_directory().join("package-test");
    fresh(&folder)?;
    let (older, newer) =
        (debian::build(&release, EARLIER, &folder)?, debian::build(&release, &release.version, &folder)?);
    let root = Root::make(&folder.join("root"))?;
    check_unit()?;
    let first = installed(&root, &older)?;
    upgraded(&root, &newer, &first)?;
    purged(&root)?;
    fs::remove_dir_all(&folder)?;
    Ok(true)
}

/// Installs a package, checks what is there then, and uses the server. Answers its first password.
fn installed(root: &Root, package: &Path) -> Outcome<String> {
    announce("Installing the package.");
    let said = root.dpkg(&["--install"], Some(package))?;
    for words in
        ["systemd does not run here", "sign in as admin", "/var/lib/croft/setup-link", "croft doctor"]
    {
        expect(said.contains(words), &format!("the installation says {words:?}: {said}"))?;
    }
    for (path, mode, group) in OWNED {
        let found = fs::metadata(root.folder.join(path)).context(path)?;
        let wanted = owned(mode, 0, root.group(group)?);
        let is = owned(found.mode() & 0o7777, found.uid(), found.gid());
        expect(is == wanted, &format!("{path} has {is} instead of {wanted}"))?;
    }
    expect(root.user_shell("croft")?.ends_with("nologin"), "nobody logs in as croft")?;
    let report = root.run(&["croft", "doctor", "--config", "/etc/croft/croft.toml"])?;
    expect(
        report.contains("/var/lib/croft, for its owner only"),
        &format!("the doctor finds the data: {report}"),
    )?;
    expect(report.contains("The server can start"), &format!("the doctor is content: {report}"))?;

    let server = Server::start(root)?;
    let password = fs::read_to_string(root.data().join(PASSWORD))?.trim().to_owned();
    server.sign_in(&password)?;
    server.stop()?;
    Ok(password)
}

/// Permissions and owners, as text.
fn owned(mode: u32, user: u32, group: u32) -> String {
    format!("mode {mode:04o}, user {user}, group {group}")
}

/// Upgrades while the server runs, and finds everything again.
fn upgraded(root: &Root, package: &Path, password: &str) -> Outcome {
    announce("Upgrading the package.");
    let configuration = root.folder.join("etc/croft/croft.toml");
    let edited = fs::read_to_string(&configuration)? + "\nlog-level = \"warn\"\n";
    fs::write(&configuration, &edited)?;
    let server = Server::start(root)?;
    let said = root.dpkg(&["--install"], Some(package))?;
    expect(
        !said.contains("sign in as admin"),
        &format!("an upgrade tells nothing of a first start: {said}"),
    )?;
    expect(fs::read_to_string(&configuration)? == edited, "the configuration stays as it was edited")?;
    expect(fs::metadata(&configuration)?.mode() & 0o7777 == 0o640, "the configuration stays closed")?;
    server.sign_in(password)?;
    server.stop()?;
    let version = root.run(&["croft", "version"])?;
    expect(version.trim() == format!("croft {}", env!("CARGO_PKG_VERSION")), &version)?;
    let server = Server::start(root)?;
    server.sign_in(password)?;
    server.stop()
}

/// Removes and purges the package: the data stays.
fn purged(root: &Root) -> Outcome {
    announce("Removing and purging the package.");
    let said = root.dpkg(&["--remove", "croft"], None)?;
    expect(said.contains("machines that run go on"), &format!("a removal says what is kept: {said}"))?;
    let there = |path: &str| root.folder.join(path).exists();
    expect(there("etc/croft/croft.toml") && there("var/lib/croft/croft.db"), "a removal keeps both")?;
    expect(!there("usr/bin/croft"), "a removal takes the program")?;
    let said = root.dpkg(&["--purge", "croft"], None)?;
    expect(
        said.contains("rm -rf /var/lib/croft"),
        &format!("a purge says what it keeps, and what removes it: {said}"),
    )?;
    expect(!there("etc/croft") && there("var/lib/croft/secret.key"), "a purge takes the configuration alone")
}

/// Has systemd look at the unit, if it is here.
fn check_unit() -> Outcome {
    if find("systemd-analyze").is_none() {
        announce("skipped: systemd-analyze is not here, so nobody looks at the unit");
        return Ok(());
    }
    let unit = crate::shell::root().join("packaging/systemd/croft.service");
    let output = command("systemd-analyze")
        .args(["verify", "--man=no", "--recursive-errors=no"])
        .arg(unit)
        .output()
        .context("cannot start systemd-analyze")?;
    let said = String::from_utf8_lossy(&output.stderr);
    // The program is in the Debian root, not on this machine.
    let about_the_unit =
        |line: &&str| line.contains("croft.service") && !line.contains("/usr/bin/croft is not executable");
    let complaints: Vec<&str> = said.lines().filter(about_the_unit).collect();
    expect(complaints.is_empty(), &format!("systemd finds no fault with the unit: {}", complaints.join("; ")))
}

fn expect(holds: bool, what: &str) -> Outcome {
    if holds { Ok(()) } else { Err(Failure::new(format!("not so: {what}"))) }
}

/// A Debian root.
struct Root {
    folder: PathBuf,
}

impl Root {
    /// Makes one from where this machine gets its packages.
    fn make(folder: &Path) -> Outcome<Self> {
        announce("Making a Debian root.");
        let release = fs::read_to_string("/etc/os-release")?;
        let suite = release.lines().find_map(|line| line.strip_prefix("VERSION_CODENAME="));
        let suite = suite.ok_or_else(|| Failure::new("/etc/os-release names no version"))?;
        let mut make = command("mmdebstrap");
        make.args(["--mode=root", "--variant=minbase", "--include=adduser", suite])
            .arg(folder)
            .args(sources()?);
        run(&mut make)?;
        Ok(Self { folder: folder.to_owned() })
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut chroot = command("chroot");
        chroot
            .arg(&self.folder)
            .args(words)
            .env("PATH", "/usr/sbin:/usr/bin:/sbin:/bin")
            .env("LC_ALL", "C.UTF-8");
        chroot
    }

    fn run(&self, words: &[&str]) -> Outcome<String> {
        capture(&mut self.command(words))
    }

    /// Runs dpkg without questions, with a package that is copied into the root.
    fn dpkg(&self, words: &[&str], package: Option<&Path>) -> Outcome<String> {
        let mut all = vec!["dpkg", "--force-confdef"];
        all.extend(words);
        if let Some(package) = package {
            fs::copy(package, self.folder.join("tmp/croft.deb"))?;
            all.push("/tmp/croft.deb");
        }
        let said = self.run(&all)?;
        print!("{said}");
        Ok(said)
    }

    fn data(&self) -> PathBuf {
        self.folder.join("var/lib/croft")
    }

    fn group(&self, name: &str) -> Outcome<u32> {
        let number = self.run(&["getent", "group", name])?;
        let number = number.trim().split(':').nth(2).and_then(|number| number.parse().ok());
        number.ok_or_else(|| Failure::new(format!("there is no group {name}")))
    }

    fn user_shell(&self, name: &str) -> Outcome<String> {
        Ok(self.run(&["getent", "passwd", name])?.trim().rsplit(':').next().unwrap_or_default().to_owned())
    }
}

/// The files that say where this machine gets its packages.
fn sources() -> Outcome<Vec<PathBuf>> {
    let mut files = vec![PathBuf::from("/etc/apt/sources.list")];
    if let Ok(entries) = fs::read_dir("/etc/apt/sources.list.d") {
        files.extend(entries.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?);
    }
    let names_something = |path: &PathBuf| {
        let text = fs::read_to_string(path).unwrap_or_default();
        text.lines().any(|line| line.starts_with("deb ") || line.starts_with("Types:"))
    };
    // Other distributors' packages are not needed for a root, and their keys may not be there.
    let is_debian = |path: &PathBuf| {
        let text = fs::read_to_string(path).unwrap_or_default();
        text.contains("/debian")
    };
    // apt reads no others either.
    let is_read = |path: &PathBuf| {
        path.extension().is_some_and(|extension| extension == "list" || extension == "sources")
    };
    files.retain(|path| is_read(path) && names_something(path) && is_debian(path));
    files.sort();
    Ok(files)
}

/// A server in a root, started by the unit's own line.
struct Server {
    process: Child,
    address: String,
}

impl Server {
    fn start(root: &Root) -> Outcome<Self> {
        let unit = fs::read_to_string(root.folder.join("usr/lib/systemd/system/croft.service"))?;
        let line = unit.lines().find_map(|line| line.strip_prefix("ExecStart="));
        let words: Vec<&str> =
            line.ok_or_else(|| Failure::new("the unit starts nothing"))?.split(' ').collect();
        let mut server = root.command(&words);
        // Another Croft may have the usual port on this machine.
        server.env("CROFT_LISTEN", "127.0.0.1:0").stdin(Stdio::null()).stdout(Stdio::piped());
        let mut process = server.spawn().context("cannot start the server")?;
        let said = process.stdout.take().expect("standard output is piped");
        let mut heard = String::new();
        for line in BufReader::new(said).lines() {
            let line = line?;
            if let Some(url) = line.strip_prefix("Croft is at http://") {
                return Ok(Self { process, address: url.trim_end_matches('/').to_owned() });
            }
            heard.push_str(&line);
        }
        Err(Failure::new(format!("the server ended at once: {}: {heard}", process.wait()?)))
    }

    /// Signs in as the first administrator.
    fn sign_in(&self, password: &str) -> Outcome {
        let body = serde_json::json!({ "username": "admin", "password": password }).to_string();
        let mut stream = TcpStream::connect(&self.address).context("the server does not answer")?;
        stream.set_read_timeout(Some(START_LIMIT))?;
        write!(
            stream,
            "POST /v1/login/croft/local HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        )?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        expect(answer.starts_with("HTTP/1.1 204"), &format!("the administrator signs in: {answer}"))
    }

    /// Ends it in order, as systemd does.
    fn stop(mut self) -> Outcome {
        run(command("kill").args(["-TERM", &self.process.id().to_string()]))?;
        let end = Instant::now() + START_LIMIT;
        while self.process.try_wait()?.is_none() {
            expect(Instant::now() < end, "the server ends when it is told to")?;
            std::thread::yield_now();
        }
        expect(self.process.wait()?.success(), "the server ends in order")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already; there is nothing left to do then.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
