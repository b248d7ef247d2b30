//! From what is stored to what the API carries, and back.
//!
//! A record stores no type of the API but scalars, so that a change of the API leaves databases as they are
//! (`docs/decisions/0041-stored-types.md`). Where an enumeration or a struct says the same on both sides, its stored form has
//! the name that the API's has, and the conversions between the two stand here. All of them name every variant and every
//! field: one that is added on one side alone does not compile. Nothing in here is stored.

mod compute;
mod networking;
mod system;

/// Implements [`From`] in both directions between a stored enumeration and one of the API with the same variants. Fields are
/// converted with `into`, or with the function after the colon:
///
/// ```text
/// same_variants!(Stored = api::Shown { Unit, Named { field, many: list }, Tuple(item) });
/// ```
macro_rules! same_variants {
    (@from $from:ty, $to:ty, $(
        $variant:ident $({ $($field:ident $(: $convert:ident)?),+ })? $(($item:ident $(: $convert_item:ident)?))?
    ),+) => {
        impl From<$from> for $to {
            fn from(value: $from) -> Self {
                type Other = $from;
                match value {
                    $(
                        Other::$variant $({ $($field),+ })? $(($item))? => Self::$variant
                            $({ $($field: converted!($field $($convert)?)),+ })?
                            $((converted!($item $($convert_item)?)))?,
                    )+
                }
            }
        }
    };
    ($stored:ty = $wire:ty { $($variants:tt)+ }) => {
        same_variants!(@from $stored, $wire, $($variants)+);
        same_variants!(@from $wire, $stored, $($variants)+);
    };
}

/// The same between two structs with the same fields:
///
/// ```text
/// same_fields!(Stored = api::Shown { field, many: list });
/// ```
macro_rules! same_fields {
    (@from $from:ty, $to:ty, $($field:ident $(: $convert:ident)?),+) => {
        impl From<$from> for $to {
            fn from(value: $from) -> Self {
                type Other = $from;
                let Other { $($field),+ } = value;
                Self { $($field: converted!($field $($convert)?)),+ }
            }
        }
    };
    ($stored:ty = $wire:ty { $($fields:tt)+ }) => {
        same_fields!(@from $stored, $wire, $($fields)+);
        same_fields!(@from $wire, $stored, $($fields)+);
    };
}

/// A field in its other form.
macro_rules! converted {
    ($value:ident) => {
        $value.into()
    };
    ($value:ident $convert:ident) => {
        $crate::wire::$convert($value)
    };
}

use {converted, same_fields, same_variants};

fn optional<T, U: From<T>>(value: Option<T>) -> Option<U> {
    value.map(U::from)
}

fn list<T, U: From<T>>(values: Vec<T>) -> Vec<U> {
    values.into_iter().map(U::from).collect()
}

fn optional_list<T, U: From<T>>(values: Option<Vec<T>>) -> Option<Vec<U>> {
    values.map(list)
}
