//! The classes of alerts.

/// A class of alerts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AlertClass {
    /// Segments of letters, digits and `_`, separated by dots.
    pub name: &'static str,
    /// The description shown to users.
    pub description: &'static str,
}

/// The class of probes. Receivers cannot subscribe to it.
pub(crate) const PROBE: AlertClass = AlertClass {
    name: "probe",
    description: "Sent on request, to test a receiver. Receivers cannot subscribe to it.",
};

/// The machine of an instance was lost.
pub(crate) const INSTANCE_FAILED: AlertClass = AlertClass {
    name: "instance.failed",
    description: "An instance that should be running has lost its machine. The data holds the instance's ID \
                  and name, the IDs of its project and silo, and the cause as text.",
};

/// A disk could not be built.
pub(crate) const DISK_FAULTED: AlertClass = AlertClass {
    name: "disk.faulted",
    description: "The host could not create a disk. The data holds the disk's ID and name, and the IDs of \
                  its project and silo.",
};

/// A snapshot could not be taken.
pub(crate) const SNAPSHOT_FAULTED: AlertClass = AlertClass {
    name: "snapshot.faulted",
    description: "The host could not take a snapshot. The data holds the snapshot's ID and name, and the \
                  IDs of its project and silo.",
};

/// Every class that this version knows.
pub const CLASSES: &[AlertClass] = &[DISK_FAULTED, INSTANCE_FAILED, PROBE, SNAPSHOT_FAULTED];

#[cfg(test)]
mod tests {
    use croft_api::scalar::AlertSubscription;

    use super::*;

    #[test]
    fn class_names_are_valid_subscriptions() {
        for class in CLASSES {
            let name: AlertSubscription = class.name.parse().unwrap();
            assert!(!name.is_glob() && name.matches(class.name), "{}", class.name);
        }
        assert!(CLASSES.is_sorted_by_key(|class| class.name));
        assert!(
            CLASSES.iter().all(|class| !class.name.starts_with("test.")),
            "this prefix is reserved for tests"
        );
    }
}
