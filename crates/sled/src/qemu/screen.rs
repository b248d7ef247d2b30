//! The screens of machines: QEMU's VNC server on a socket in the machine's own folder, and pictures that QEMU writes there.

use std::{
    fs::{File, OpenOptions},
    io::{self, Read as _},
    os::unix::{fs::OpenOptionsExt as _, net::UnixStream},
    path::Path,
    time::Duration,
};

use rustix::{
    fs::OFlags,
    net::{
        AddressFamily, SocketAddrUnix, SocketFlags, SocketType, connect as connect_socket, socket_with,
        sockopt::socket_peercred,
    },
};
use serde_json::json;

use super::{
    Host, arguments,
    machine::Machine,
    process::{Process, RUN, ShortPath},
    volumes::failed,
};
use crate::HypervisorError;

/// The file that QEMU writes a picture into.
const PICTURE: &str = "picture";
/// QEMU writes a picture within a tenth of a second; a busy host may be many times slower.
const PICTURE_LIMIT: Duration = Duration::from_secs(10);
/// Maximum size of a picture: a great screen full of noise.
const MAX_PICTURE: u64 = 16 << 20;
/// What a PNG file begins with.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

fn without_screen() -> HypervisorError {
    HypervisorError::Refused(
        "the instance was started by an earlier version of Croft and has no screen; stop and start it to get one"
            .to_owned(),
    )
}

/// Connects to the screen of a machine.
pub(super) fn connect(host: &Host, machine: &Machine) -> Result<UnixStream, HypervisorError> {
    let unconnected = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => without_screen(),
        io::ErrorKind::ConnectionRefused => HypervisorError::UnknownMachine,
        // QEMU has not accepted those who came before.
        io::ErrorKind::WouldBlock => HypervisorError::Unreachable("the machine does not answer".to_owned()),
        _ => failed("cannot connect to the screen", error),
    };
    let stream = dial(&host.machine_folder(machine.kept.id).join(RUN)).map_err(unconnected)?;
    // The folder belongs to the machine's user, so the name may be a symbolic link.
    let owner = socket_peercred(&stream).map_err(io::Error::from).and_then(|peer| {
        let process = peer.pid.as_raw_nonzero().get().unsigned_abs();
        Process::existing(process, &arguments::machine_name(machine.kept.id))
    });
    match owner.map_err(|error| failed("cannot connect to the screen", error))? {
        Some(_) => Ok(stream),
        None => Err(HypervisorError::Failed("another process has the machine's screen".to_owned())),
    }
}

/// Connects without waiting, as QEMU may hang.
fn dial(run: &Path) -> io::Result<UnixStream> {
    let run = ShortPath::to(run)?;
    let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
    let socket = socket_with(AddressFamily::UNIX, SocketType::STREAM, flags, None)?;
    connect_socket(&socket, &SocketAddrUnix::new(run.join(arguments::SCREEN))?)?;
    Ok(UnixStream::from(socket))
}

/// Has QEMU take a picture of a machine's screen.
pub(super) fn picture(host: &Host, machine: &Machine) -> Result<Vec<u8>, HypervisorError> {
    let run = host.machine_folder(machine.kept.id).join(RUN);
    if machine.is_gone() {
        return Err(HypervisorError::UnknownMachine);
    }
    let screen = run.join(arguments::SCREEN).symlink_metadata();
    if screen.is_err_and(|error| error.kind() == io::ErrorKind::NotFound) {
        return Err(without_screen());
    }
    let _turn = machine.picture.lock();
    let target = json!({ "filename": PICTURE, "format": "png" });
    machine.command("screendump", target, PICTURE_LIMIT).map_err(HypervisorError::Failed)?;
    let picture = read(&run.join(PICTURE)).map_err(|error| failed("cannot read a picture", error))?;
    if !picture.starts_with(PNG) {
        return Err(HypervisorError::Failed("QEMU wrote no picture".to_owned()));
    }
    Ok(picture)
}

/// Reads a file in a folder of another user, where names may be symbolic links and files may be anything.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits().cast_signed();
    let file: File = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    let metadata = file.metadata()?;
    if !metadata.is_file() || metadata.len() > MAX_PICTURE {
        return Err(io::Error::other("it is no file, or too large"));
    }
    let mut content = Vec::new();
    file.take(MAX_PICTURE).read_to_end(&mut content)?;
    Ok(content)
}
