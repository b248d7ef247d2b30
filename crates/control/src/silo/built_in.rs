//! The silos of the system itself.

use uuid::Uuid;

/// The built-in silo of what belongs to nobody else.
pub(crate) const DEFAULT_SILO: Uuid = Uuid::from_u128(0x001d_e000_1334_4000_8000_0000_0000_0001);
/// The built-in silo that owns the system's own networking.
pub(crate) const INTERNAL_SILO: Uuid = Uuid::from_u128(0x001d_e000_1334_4000_8000_0000_0000_0002);

/// Whether a silo is the one of what belongs to no other.
pub(crate) fn is_default_silo(silo: Uuid) -> bool {
    silo == DEFAULT_SILO
}

/// Whether a silo is one of the system's own, in which nobody signs in.
pub(crate) fn is_built_in(silo: Uuid) -> bool {
    [DEFAULT_SILO, INTERNAL_SILO].contains(&silo)
}
