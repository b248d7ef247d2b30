//! Runs other programs to their end, within a limit: one that hangs is killed, and the error says which it was.

use std::{
    fs::File,
    io::{self, Read as _, Seek as _, Write as _},
    os::unix::process::CommandExt as _,
    path::Path,
    process::{Command, ExitStatus, Stdio},
    time::Duration,
};

use rustix::{
    fs::{MemfdFlags, memfd_create},
    process::{Pid, Signal, kill_process_group},
};

use super::process::Process;

/// Networks are changed within a tenth of a second; a busy host may be many times slower.
pub(super) const LIMIT: Duration = Duration::from_secs(20);

/// Runs a program to its end, and answers what it printed. One that takes longer than `limit` is killed, with what it has
/// started in its process group.
pub(super) fn run(command: &mut Command, input: Option<&str>, limit: Duration) -> io::Result<String> {
    let name = name_of(command);
    let (status, output, complaints) = run_with_files(command, input, limit)
        .map_err(|error| io::Error::new(error.kind(), format!("{name}: {error}")))?;
    if !status.success() {
        let first = complaints.lines().find(|line| !line.trim().is_empty()).unwrap_or("no reason was given");
        return Err(io::Error::other(format!("{name}: {}", first.trim())));
    }
    Ok(output)
}

/// What is read and written are files in memory: a program that neither reads nor ends holds up nobody, as it would with
/// pipes.
fn run_with_files(
    command: &mut Command,
    input: Option<&str>,
    limit: Duration,
) -> io::Result<(ExitStatus, String, String)> {
    let stdin = match input {
        None => Stdio::null(),
        Some(input) => {
            let mut file = memory()?;
            file.write_all(input.as_bytes())?;
            file.rewind()?;
            file.into()
        }
    };
    let (mut output, mut complaints) = (memory()?, memory()?);
    let child = command
        .stdin(stdin)
        .stdout(output.try_clone()?)
        .stderr(complaints.try_clone()?)
        .process_group(0)
        .spawn()?;
    let mut process = Process::of_child(child)?;
    let in_time = process.ends_within(i64::try_from(limit.as_millis()).unwrap_or(i64::MAX))?;
    if !in_time {
        process.kill();
        let group = i32::try_from(process.id()).ok().and_then(Pid::from_raw);
        // Not reaped yet, so the number is still its own. It may have been alone.
        let _ = group.map(|group| kill_process_group(group, Signal::KILL));
    }
    // A process that the kernel does not let go of is left to itself.
    let status = if in_time || process.ends_within(KILL_LIMIT_MS)? { process.reap() } else { None };
    match status {
        Some(status) if in_time => Ok((status, text(&mut output)?, text(&mut complaints)?)),
        _ => {
            let text = format!("it did not exit within {} s and was killed", limit.as_secs_f32());
            Err(io::Error::new(io::ErrorKind::TimedOut, text))
        }
    }
}

/// A killed process is gone within milliseconds, unless the kernel is busy with it.
const KILL_LIMIT_MS: i64 = 2000;

fn memory() -> io::Result<File> {
    Ok(memfd_create("croft", MemfdFlags::CLOEXEC)?.into())
}

fn text(file: &mut File) -> io::Result<String> {
    file.rewind()?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// The program and the first words of its command line, as text.
fn name_of(command: &Command) -> String {
    let program =
        Path::new(command.get_program()).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let words = command.get_args().take(6).map(|word| word.to_string_lossy().into_owned());
    [program].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str) -> Command {
        let mut command = Command::new("/bin/sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn command_returns_output_or_error() {
        let long = "0123456789abcdef".repeat(64 << 10);
        assert_eq!(run(&mut sh("cat"), Some(&long), LIMIT).unwrap(), long);
        let error = run(&mut sh("echo; echo no such link >&2; exit 3"), None, LIMIT).unwrap_err();
        assert!(error.to_string().ends_with(": no such link"), "{error}");
        let missing = run(&mut Command::new("/no/such/program"), None, LIMIT).unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn hanging_command_is_killed_with_its_children() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("started");
        let script = format!("sleep 1000 & echo $! >{}; wait", path.display());
        // The program does not read its input.
        let long = "x".repeat(1 << 20);
        let error = run(&mut sh(&script), Some(&long), Duration::from_secs(2)).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert!(error.to_string().contains("sh -c sleep 1000"), "{error}");
        assert!(error.to_string().contains("did not exit within 2 s"), "{error}");
        let started = std::fs::read_to_string(path).unwrap();
        let stat = Path::new("/proc").join(started.trim()).join("stat");
        let end = std::time::Instant::now() + LIMIT;
        // Killed, but its new parent may not have collected it yet.
        while std::fs::read_to_string(&stat).is_ok_and(|stat| !stat.contains(") Z ")) {
            assert!(std::time::Instant::now() < end, "the child process still runs");
            std::thread::yield_now();
        }
    }
}
