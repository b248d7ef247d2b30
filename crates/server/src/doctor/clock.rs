//! The clock.

use std::process::{Command, Stdio};

use jiff::Timestamp;

use super::Finding;

/// A time that has passed: 2026-01-01.
const PAST: Timestamp = Timestamp::constant(1_767_225_600, 0);

/// Whether the kernel's clock follows others, as far as systemd knows.
pub(super) fn synchronised() -> Option<bool> {
    let mut ask = Command::new("timedatectl");
    ask.args(["show", "--property=NTPSynchronized", "--value"]).stdin(Stdio::null()).stderr(Stdio::null());
    let answer = ask.output().ok()?;
    match answer.stdout.trim_ascii() {
        b"yes" => Some(true),
        b"no" => Some(false),
        _ => None,
    }
}

pub(super) fn check(now: Timestamp, synchronised: Option<bool>) -> Finding {
    const CHECK: &str = "clock";
    const MEND: &str = "run `timedatectl set-ntp true`, or install chrony";
    let time = format!("{now:.0}");
    if now < PAST {
        let text =
            format!("{time} has long passed: certificates and the codes of second factors will be refused");
        return Finding::warning(CHECK, text, MEND);
    }
    match synchronised {
        Some(true) => Finding::ok(CHECK, format!("{time}, synchronized")),
        Some(false) => Finding::warning(
            CHECK,
            format!("{time}, not synchronized: the codes of second factors will be refused once it is wrong"),
            MEND,
        ),
        None => Finding::ok(CHECK, format!("{time}; systemd does not say whether it is synchronized")),
    }
}
