use std::{
    collections::VecDeque,
    fmt, mem,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use jiff::{SignedDuration, Timestamp};
use parking_lot::Mutex;

use super::{
    SimulationContext,
    screen::{self, SimulatedScreen},
    shell::{GuestRequest, Shell},
};
use crate::{MachineSpec, MachineState, SerialBuffer, SerialInput, SerialLine};

/// What a guest prints while it boots, evenly spread over the time that takes.
const BOOT: &[&str] = &[
    "[    0.000000] Linux version 6.12.0-croft (simulated) #1 SMP",
    "[    0.000000] Command line: console=ttyS0,115200n8 root=/dev/vda1",
    "[    0.018204] Memory: {memory} available",
    "[    0.041377] smpboot: Allowing {cpus} CPUs, 0 hotplug CPUs",
    "[    0.186512] virtio_blk: {disks} disks found",
    "[    0.390117] EXT4-fs (vda1): mounted filesystem with ordered data mode",
    "[  OK  ] Reached target Local File Systems.",
    "[  OK  ] Started Journal Service.",
    "[  OK  ] Reached target Network is Online.",
    "[  OK  ] Started OpenSSH server daemon.",
    "[  OK  ] Reached target Multi-User System.",
];

/// What a guest prints while it shuts down.
const SHUTDOWN: &[&str] = &[
    "[  OK  ] Stopped OpenSSH server daemon.",
    "[  OK  ] Stopped target Multi-User System.",
    "[  OK  ] Unmounted Local File Systems.",
];

/// From when somebody begins to follow a line to the first character of the greeting.
const BEFORE_GREETING: SignedDuration = SignedDuration::from_secs(1);
/// From one character of the greeting to the next.
const BETWEEN_CHARACTERS: SignedDuration = SignedDuration::from_millis(50);

/// The part of a guest that its serial line and its screen reach.
pub(super) struct Guest {
    name: String,
    state: Mutex<MachineState>,
    buffer: Arc<SerialBuffer>,
    shell: Mutex<Shell>,
    around: Arc<SimulationContext>,
    /// Whether somebody waits for a greeting.
    is_attended: AtomicBool,
}

impl Guest {
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The instance and what it is doing, for the screen.
    pub(super) fn title(&self) -> String {
        let state = match *self.state.lock() {
            MachineState::Starting => "starting",
            MachineState::Running => "running",
            MachineState::Rebooting => "rebooting",
            MachineState::Stopping => "stopping",
            MachineState::Ended => "ended",
            MachineState::Failed => "failed",
        };
        format!("{} (simulated): {state}", self.name)
    }

    /// Restarts the guest, if it is up.
    pub(super) fn restart(&self) {
        self.shell.lock().restart();
        self.around.ring();
    }
}

impl SerialInput for Arc<Guest> {
    fn receive(&self, bytes: &[u8]) {
        let mut shell = self.shell.lock();
        let output = shell.input(bytes, self.around.now());
        // The lock is held while the output is added, so that answers stand in the order of their questions.
        self.buffer.append(&output);
        if shell.wants_something() {
            drop(shell);
            self.around.ring();
        }
    }

    fn attended(&self) {
        if !self.around.greeting.is_empty() {
            self.is_attended.store(true, Ordering::Release);
            self.around.ring();
        }
    }
}

/// A machine's serial console: what it prints by itself, and the shell behind it.
pub(super) struct Console {
    guest: Arc<Guest>,
    line: Arc<SerialLine>,
    script: VecDeque<(Timestamp, String)>,
    /// What is left of the greeting, and when its next character is due.
    greeting: VecDeque<char>,
    next_character: Timestamp,
    facts: [(&'static str, String); 3],
}

impl fmt::Debug for Console {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Console").field("line", &self.line).finish_non_exhaustive()
    }
}

impl Console {
    pub(super) fn new(spec: &MachineSpec, around: &Arc<SimulationContext>) -> Self {
        let buffer = Arc::new(SerialBuffer::default());
        let shell = Mutex::new(Shell::new(spec));
        let guest = Arc::new(Guest {
            name: spec.name.clone(),
            state: Mutex::new(MachineState::Starting),
            buffer: Arc::clone(&buffer),
            shell,
            around: Arc::clone(around),
            is_attended: AtomicBool::new(false),
        });
        let line = Arc::new(SerialLine::new(buffer, Box::new(Arc::clone(&guest))));
        let facts = [
            ("{memory}", format!("{}K", spec.memory >> 10)),
            ("{cpus}", spec.cpus.to_string()),
            ("{disks}", spec.disks.len().to_string()),
        ];
        Self {
            guest,
            line,
            script: VecDeque::new(),
            greeting: VecDeque::new(),
            next_character: Timestamp::MAX,
            facts,
        }
    }

    pub(super) fn line(&self) -> Arc<SerialLine> {
        Arc::clone(&self.line)
    }

    pub(super) fn screen(&self) -> SimulatedScreen {
        SimulatedScreen::new(Arc::clone(&self.guest), self.line())
    }

    pub(super) fn picture(&self) -> Vec<u8> {
        screen::picture(Arc::clone(&self.guest), self.line())
    }

    pub(super) fn close(&self) {
        self.guest.buffer.close();
    }

    pub(super) fn take_request(&self) -> Option<GuestRequest> {
        self.guest.shell.lock().take_request()
    }

    /// The machine came into a state that lasts for `length`.
    pub(super) fn entered(&mut self, state: MachineState, now: Timestamp, length: SignedDuration) {
        self.greeting.clear();
        *self.guest.state.lock() = state;
        match state {
            MachineState::Starting => {
                self.guest.shell.lock().go_down();
                self.play(BOOT, now, length);
            }
            MachineState::Rebooting => {
                self.guest.shell.lock().go_down();
                self.print("\r\n");
                self.play(SHUTDOWN, now, SignedDuration::ZERO);
                self.script.push_back((now, "reboot: Restarting system".to_owned()));
                let played = mem::take(&mut self.script);
                self.play(BOOT, now, length);
                self.script = played.into_iter().chain(mem::take(&mut self.script)).collect();
            }
            MachineState::Running => {
                self.print_until(now);
                let prompt = self.guest.shell.lock().come_up(now);
                self.print(&prompt);
            }
            MachineState::Stopping => {
                self.guest.shell.lock().go_down();
                self.print("\r\n");
                self.play(SHUTDOWN, now, length);
            }
            MachineState::Ended | MachineState::Failed => self.print("reboot: Power down\r\n"),
        }
    }

    /// The machine was running all along, though what it printed is not known here.
    pub(super) fn resume(&mut self, now: Timestamp) {
        *self.guest.state.lock() = MachineState::Running;
        self.script.clear();
        let prompt = self.guest.shell.lock().come_up(now);
        self.print(&prompt);
    }

    /// Prints what is due by a time.
    pub(super) fn print_until(&mut self, now: Timestamp) {
        while self.script.front().is_some_and(|(due, _)| *due <= now) {
            if let Some((_, line)) = self.script.pop_front() {
                self.print(&line);
                self.print("\r\n");
            }
        }
        while self.next_character <= now
            && let Some(character) = self.greeting.pop_front()
        {
            self.print(character.encode_utf8(&mut [0; 4]));
            self.next_character =
                self.next_character.saturating_add(BETWEEN_CHARACTERS).unwrap_or(Timestamp::MAX);
        }
    }

    /// Begins to greet whoever has begun to follow the line. Nobody is greeted twice at the same time.
    pub(super) fn greet(&mut self, now: Timestamp) {
        if self.guest.is_attended.swap(false, Ordering::AcqRel) && self.greeting.is_empty() {
            self.greeting = self.guest.around.greeting.chars().collect();
            self.next_character = now.saturating_add(BEFORE_GREETING).unwrap_or(Timestamp::MAX);
        }
    }

    /// When the next line is printed.
    pub(super) fn next_line(&self) -> Option<Timestamp> {
        let character = self.greeting.front().map(|_| self.next_character);
        self.script.front().map(|(due, _)| *due).into_iter().chain(character).min()
    }

    /// Prints immediately.
    pub(super) fn print(&self, output: impl AsRef<[u8]>) {
        self.guest.buffer.append(output.as_ref());
    }

    fn play(&mut self, lines: &[&str], now: Timestamp, length: SignedDuration) {
        let count = i32::try_from(lines.len()).unwrap_or(i32::MAX);
        self.script = (0..count)
            .zip(lines)
            .map(|(number, line)| {
                let due = now.checked_add(length / count * number).unwrap_or(Timestamp::MAX);
                let line =
                    self.facts.iter().fold((*line).to_owned(), |line, (mark, fact)| line.replace(mark, fact));
                (due, line)
            })
            .collect();
    }
}
