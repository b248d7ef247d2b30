//! The built-in silos.

use uuid::Uuid;

/// The silo that owns resources without another owner.
pub(crate) const DEFAULT_SILO: Uuid = Uuid::from_u128(0x001d_e000_1334_4000_8000_0000_0000_0001);
/// The silo that owns the system's own networking.
pub(crate) const INTERNAL_SILO: Uuid = Uuid::from_u128(0x001d_e000_1334_4000_8000_0000_0000_0002);

/// Whether this is the silo of resources without another owner.
pub(crate) fn is_default_silo(silo: Uuid) -> bool {
    silo == DEFAULT_SILO
}

/// Whether a silo is built in. Nobody signs in to these.
pub(crate) fn is_built_in(silo: Uuid) -> bool {
    [DEFAULT_SILO, INTERNAL_SILO].contains(&silo)
}
