use std::{
    fs,
    io::{Read as _, Write as _},
    os::unix::net::UnixStream,
    time::{Duration, Instant},
};

use croft_sled::{Hypervisor as _, HypervisorError, MachineSpec, MachineState, Screen, qemu::Qemu};
use flate2::read::ZlibDecoder;
use jiff::Timestamp;

use crate::host::{self, expected, open, wait_for_end, wait_for_state};

const LIMIT: Duration = Duration::from_mins(1);

/// A viewer of a screen (RFC 6143), which wants its pixels as they are.
struct Viewer {
    stream: UnixStream,
    /// Width and height, each two bytes.
    size: [u8; 4],
}

impl Viewer {
    fn connect(qemu: &Qemu, spec: &MachineSpec) -> Self {
        let Screen::Socket(stream) = qemu.screen(spec.id).unwrap() else { panic!("a socket") };
        stream.set_nonblocking(false).unwrap();
        stream.set_read_timeout(Some(LIMIT)).unwrap();
        let mut viewer = Self { stream, size: [0; 4] };
        assert_eq!(viewer.read(12), b"RFB 003.008\n");
        viewer.write(b"RFB 003.008\n");
        assert_eq!(viewer.read(2), [1, 1], "no password");
        viewer.write(&[1]);
        assert_eq!(viewer.read(4), [0; 4]);
        viewer.write(&[0]);
        let start = viewer.read(24);
        viewer.size.copy_from_slice(&start[..4]);
        assert_eq!(start[4], 32, "bits of a pixel");
        viewer.read(usize::from(start[23]));
        viewer.write(&[2, 0, 0, 1, 0, 0, 0, 0]);
        viewer
    }

    fn read(&mut self, length: usize) -> Vec<u8> {
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes).unwrap();
        bytes
    }

    fn write(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).unwrap();
    }

    /// Whether anything is lit.
    fn is_lit(&mut self) -> bool {
        let request = [&[3, 0, 0, 0, 0, 0][..], &self.size].concat();
        self.write(&request);
        let head = self.read(4);
        assert_eq!(head[0], 0, "an update");
        let mut is_lit = false;
        for _ in 0..u16::from_be_bytes([head[2], head[3]]) {
            let rectangle = self.read(12);
            let number = |at: usize| usize::from(u16::from_be_bytes([rectangle[at], rectangle[at + 1]]));
            let length = number(4) * number(6) * 4;
            is_lit |= self.read(length).iter().any(|byte| *byte != 0);
        }
        is_lit
    }
}

/// Width and height of a PNG file, and whether anything is lit.
fn decode(picture: &[u8]) -> (usize, usize, bool) {
    let number = |at: usize| u32::from_be_bytes(picture[at..at + 4].try_into().unwrap()) as usize;
    let (width, height) = (number(16), number(20));
    let (mut at, mut compressed) = (8, Vec::new());
    while at < picture.len() {
        let length = number(at);
        if &picture[at + 4..at + 8] == b"IDAT" {
            compressed.extend_from_slice(&picture[at + 8..at + 8 + length]);
        }
        at += length + 12;
    }
    let mut rows = Vec::new();
    ZlibDecoder::new(compressed.as_slice()).read_to_end(&mut rows).unwrap();
    // Whatever the filter of a row is, which its first byte tells: a black picture is all zeros.
    let is_lit = rows.chunks(rows.len() / height).any(|row| row[1..].iter().any(|byte| *byte != 0));
    (width, height, is_lit)
}

fn wait_until(what: &str, mut done: impl FnMut() -> bool) {
    let end = Instant::now() + LIMIT;
    while !done() {
        assert!(Instant::now() < end, "waited in vain for {what}");
    }
}

#[test]
fn screens_are_seen_by_several_and_by_later_servers() {
    let Some((folder, qemu)) = host::host() else { return };
    let disk = host::disk(1, None);
    qemu.ensure_disk(&disk).unwrap();
    let spec = host::machine(11, "db1", disk.id, "");
    assert!(matches!(qemu.screen(spec.id), Err(HypervisorError::UnknownMachine)));
    qemu.ensure_machine(&spec).unwrap();
    wait_for_state(&qemu, &spec, MachineState::Running);
    // The firmware says that it finds nothing to boot.
    wait_until("text in a picture", || decode(&qemu.picture(spec.id).unwrap()).2);
    let (width, height, _) = decode(&qemu.picture(spec.id).unwrap());
    assert!(width >= 640 && height >= 350, "{width} {height}");
    let mut viewers = [Viewer::connect(&qemu, &spec), Viewer::connect(&qemu, &spec)];
    for viewer in &mut viewers {
        wait_until("text on the screen", || viewer.is_lit());
    }

    let report = qemu.observe_machine(spec.sled_id, spec.id).unwrap();
    drop(qemu);
    assert!(viewers[0].is_lit(), "the connection does not need the server");
    let qemu = open(folder.path()).unwrap();
    qemu.adopt(&[expected(&spec, report)], Timestamp::UNIX_EPOCH).unwrap();
    wait_for_state(&qemu, &spec, MachineState::Running);
    assert!(Viewer::connect(&qemu, &spec).is_lit());
    assert!(decode(&qemu.picture(spec.id).unwrap()).2);

    // As if an earlier server had started the machine, which gave it no screen.
    fs::remove_file(folder.path().join(format!("qemu/machines/{}/run/screen", spec.id))).unwrap();
    for refused in [qemu.screen(spec.id).map(drop), qemu.picture(spec.id).map(drop)] {
        let Err(HypervisorError::Refused(reason)) = refused else { panic!("{refused:?}") };
        assert!(reason.ends_with("stop and start it to get one"), "{reason}");
    }
    wait_for_end(&qemu, &spec);
}
