use jiff::Timestamp;
use uuid::Uuid;

/// Most lines of the serial log that an incident carries.
pub const SERIAL_TAIL_LINES: usize = 20;
/// Most bytes of the serial log that an incident carries.
pub const SERIAL_TAIL_BYTES: usize = 4 << 10;

/// Something that happened to a machine, in words for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MachineIncident {
    /// The machine.
    pub machine_id: Uuid,
    /// The instance that it is a machine of.
    pub instance_id: Uuid,
    /// When the host noticed it.
    pub time: Timestamp,
    /// What kind of thing happened.
    pub kind: IncidentKind,
    /// What went wrong: a sentence. It may hold what QEMU said and name files of the host, so it is for those who may see the
    /// host; [`IncidentKind`] is for everybody.
    pub cause: String,
    /// What was done about it, without anybody's help: a sentence.
    pub action: String,
    /// The last lines of the serial log, oldest first: at most [`SERIAL_TAIL_LINES`] and [`SERIAL_TAIL_BYTES`], without
    /// control characters other than line feeds and tabs. Empty if the guest printed nothing.
    pub serial_tail: String,
}

/// What kind of thing happened to a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IncidentKind {
    /// It ran, or was on its way to running, and broke: its process ended or QEMU stopped it. Its state is
    /// [`crate::MachineState::Failed`].
    Broke,
    /// It broke under hardware acceleration and was started again, from its disks, with its instructions translated. It
    /// is the same machine, which goes on.
    RestartedWithTranslation,
    /// It could not be started at all. Its state is [`crate::MachineState::Failed`].
    NotStarted,
    /// What the host keeps of it cannot be read. Its files and its process, if it has one, are left as they are, and
    /// nothing can be done with it until a person has looked.
    Unreadable,
}
