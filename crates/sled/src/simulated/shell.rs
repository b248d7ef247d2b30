use jiff::{Timestamp, tz::Offset};

use crate::MachineSpec;

/// Longest line that is kept, in bytes; what is typed beyond it is dropped.
const MAX_LINE: usize = 4096;

const HELP: &str = "\
clear     clear the screen\r\n\
date      the time\r\n\
echo      print the rest of the line\r\n\
exit      sign out\r\n\
free      memory\r\n\
hostname  this machine's name\r\n\
lsblk     disks\r\n\
nproc     number of processors\r\n\
poweroff  stop this machine\r\n\
reboot    restart this machine\r\n\
uname     the system's name\r\n\
uptime    time since boot\r\n\
whoami    the signed-in user\r\n";

const WEEKDAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// A time as `date` tells it.
fn date(now: Timestamp) -> String {
    let now = Offset::UTC.to_datetime(now);
    let weekday = WEEKDAYS[usize::from(now.weekday().to_monday_zero_offset().unsigned_abs())];
    let month = MONTHS[usize::from(now.month().unsigned_abs()) - 1];
    let (day, hour, minute, second) = (now.day(), now.hour(), now.minute(), now.second());
    format!("{weekday} {month} {day:2} {hour:02}:{minute:02}:{second:02} UTC {}", now.year())
}

/// What a guest asks of its machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GuestRequest {
    /// To be ended.
    PowerOff,
    /// To be restarted.
    Reboot,
}

#[derive(Debug, PartialEq, Eq)]
enum Mode {
    /// Nobody listens.
    Down,
    /// Waiting for a user name.
    Login,
    /// Waiting for a command of this user.
    Session(String),
}

/// Where a reader of typed bytes stands within an escape sequence.
#[derive(Debug, PartialEq, Eq)]
enum Escape {
    None,
    Begun,
    Sequence,
}

/// The simulated guest's terminal: a login prompt and a few commands.
#[derive(Debug)]
pub(super) struct Shell {
    hostname: String,
    cpus: u16,
    memory: u64,
    disks: usize,
    mode: Mode,
    escape: Escape,
    line: Vec<u8>,
    boot_time: Timestamp,
    request: Option<GuestRequest>,
}

impl Shell {
    pub(super) fn new(spec: &MachineSpec) -> Self {
        Self {
            hostname: spec.hostname.clone(),
            cpus: spec.cpus,
            memory: spec.memory,
            disks: spec.disks.len(),
            mode: Mode::Down,
            escape: Escape::None,
            line: Vec::new(),
            boot_time: Timestamp::UNIX_EPOCH,
            request: None,
        }
    }

    /// The guest is up; answers what it prints.
    pub(super) fn come_up(&mut self, now: Timestamp) -> String {
        self.mode = Mode::Login;
        self.boot_time = now;
        self.line.clear();
        format!("\r\nCroft simulated machine, ttyS0\r\n\r\n{}", self.prompt())
    }

    /// Nobody listens any more.
    pub(super) fn go_down(&mut self) {
        self.mode = Mode::Down;
        self.line.clear();
        self.request = None;
    }

    /// Restarts the machine, as Ctrl+Alt+Del does; does nothing if nobody listens.
    pub(super) fn restart(&mut self) {
        if self.mode != Mode::Down {
            self.request = Some(GuestRequest::Reboot);
        }
    }

    pub(super) const fn wants_something(&self) -> bool {
        self.request.is_some()
    }

    pub(super) const fn take_request(&mut self) -> Option<GuestRequest> {
        self.request.take()
    }

    fn prompt(&self) -> String {
        match &self.mode {
            Mode::Down => String::new(),
            Mode::Login => format!("{} login: ", self.hostname),
            Mode::Session(user) => format!("{user}@{}:~$ ", self.hostname),
        }
    }

    /// Takes typed bytes and answers what the terminal prints, echo included.
    pub(super) fn input(&mut self, bytes: &[u8], now: Timestamp) -> Vec<u8> {
        let mut output = Vec::new();
        let mut previous = 0;
        for byte in bytes {
            if self.mode != Mode::Down && !(*byte == b'\n' && previous == b'\r') {
                self.type_byte(*byte, now, &mut output);
            }
            previous = *byte;
        }
        output
    }

    fn type_byte(&mut self, byte: u8, now: Timestamp, output: &mut Vec<u8>) {
        match (&self.escape, byte) {
            (Escape::Begun, b'[' | b'O') => self.escape = Escape::Sequence,
            (Escape::Begun, _) | (Escape::Sequence, 0x40..=0x7e) => self.escape = Escape::None,
            (Escape::None, 0x1b) => self.escape = Escape::Begun,
            (Escape::None, b'\r' | b'\n') => {
                output.extend_from_slice(b"\r\n");
                let line = String::from_utf8_lossy(&std::mem::take(&mut self.line)).into_owned();
                output.extend_from_slice(self.run_line(line.trim(), now).as_bytes());
                output.extend_from_slice(self.prompt().as_bytes());
            }
            (Escape::None, 0x08 | 0x7f) => {
                if self.erase() {
                    output.extend_from_slice(b"\x08 \x08");
                }
            }
            (Escape::None, 0x03) => {
                self.line.clear();
                output.extend_from_slice(format!("^C\r\n{}", self.prompt()).as_bytes());
            }
            (Escape::None, 0x15) => {
                while self.erase() {
                    output.extend_from_slice(b"\x08 \x08");
                }
            }
            (Escape::None, 0x04) if self.line.is_empty() && matches!(self.mode, Mode::Session(_)) => {
                self.mode = Mode::Login;
                output.extend_from_slice(format!("logout\r\n\r\n{}", self.prompt()).as_bytes());
            }
            (Escape::None, 0x20..=0xff) if self.line.len() < MAX_LINE => {
                self.line.push(byte);
                output.push(byte);
            }
            (Escape::Sequence | Escape::None, _) => {}
        }
    }

    /// Takes the last character, however many bytes it has, off the line.
    fn erase(&mut self) -> bool {
        let erased = self.line.pop();
        let mut byte = erased;
        while byte.is_some_and(|byte| byte & 0xc0 == 0x80) {
            byte = self.line.pop();
        }
        erased.is_some()
    }

    fn run_line(&mut self, line: &str, now: Timestamp) -> String {
        match &self.mode {
            Mode::Down => String::new(),
            Mode::Login if line.is_empty() => String::new(),
            Mode::Login => {
                self.mode = Mode::Session(line.to_owned());
                "Welcome to Croft. This machine is simulated; type help for a list of commands.\r\n"
                    .to_owned()
            }
            Mode::Session(user) => {
                let user = user.clone();
                self.run_command(line, &user, now)
            }
        }
    }

    fn run_command(&mut self, line: &str, user: &str, now: Timestamp) -> String {
        let (command, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim_start();
        match command {
            "" => String::new(),
            "help" => HELP.to_owned(),
            "clear" => "\x1b[2J\x1b[H".to_owned(),
            "echo" => format!("{rest}\r\n"),
            "hostname" => format!("{}\r\n", self.hostname),
            "whoami" => format!("{user}\r\n"),
            "nproc" => format!("{}\r\n", self.cpus),
            "free" => format!("Mem: {} KiB\r\n", self.memory >> 10),
            "lsblk" => ('a'..='z').take(self.disks).flat_map(|disk| ['v', 'd', disk, '\r', '\n']).collect(),
            "uname" if rest == "-a" => {
                format!("Linux {} 6.12.0-croft #1 SMP x86_64 GNU/Linux\r\n", self.hostname)
            }
            "uname" => "Linux\r\n".to_owned(),
            "date" => format!("{}\r\n", date(now)),
            "uptime" => format!("up {} seconds\r\n", now.duration_since(self.boot_time).as_secs()),
            "exit" | "logout" => {
                self.mode = Mode::Login;
                "logout\r\n\r\n".to_owned()
            }
            "poweroff" | "halt" | "shutdown" => {
                self.request = Some(GuestRequest::PowerOff);
                "The system will power off now.\r\n".to_owned()
            }
            "reboot" => {
                self.request = Some(GuestRequest::Reboot);
                "The system will reboot now.\r\n".to_owned()
            }
            _ => format!("{command}: command not found\r\n"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_printed_like_the_date_command() {
        let formatted = |time: &str| date(time.parse().unwrap());
        assert_eq!(formatted("2026-03-01T09:05:07.9Z"), "Sun Mar  1 09:05:07 UTC 2026");
        assert_eq!(formatted("2024-12-30T23:59:59Z"), "Mon Dec 30 23:59:59 UTC 2024");
    }
}
