//! What a struct provides to be stored.

use jiff::Timestamp;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use uuid::Uuid;

use crate::{Key, Table, search::Searched};

/// Identity and bookkeeping that every record carries; part of its document, where it stands as a short
/// list: it is read more often than anything else.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "StoredMeta", try_from = "StoredMeta")]
pub struct Meta {
    /// Unique within the table, chosen by the creator.
    pub id: Uuid,
    /// Never changes after the insert. Kept, like every time here, to the microsecond.
    pub time_created: Timestamp,
    /// The time of the last change that somebody asked for, set by the caller.
    pub time_modified: Timestamp,
    /// Set once the record is soft-deleted; such rows are invisible to everything but
    /// [`Tx::get_any`](crate::Tx::get_any).
    pub time_deleted: Option<Timestamp>,
    /// Starts at 1 and grows by one with each update: what compare-and-swap compares.
    pub generation: u64,
}

impl Meta {
    /// Bookkeeping of a record created now.
    pub fn new(id: Uuid, now: Timestamp) -> Self {
        Self { id, time_created: now, time_modified: now, time_deleted: None, generation: 1 }
    }
}

/// A record's bookkeeping within its document: id, creation, modification, deletion and generation; times in
/// microseconds since 1970.
type StoredMeta = (Uuid, i64, i64, Option<i64>, u64);

impl From<Meta> for StoredMeta {
    fn from(meta: Meta) -> Self {
        (
            meta.id,
            meta.time_created.as_microsecond(),
            meta.time_modified.as_microsecond(),
            meta.time_deleted.map(Timestamp::as_microsecond),
            meta.generation,
        )
    }
}

impl TryFrom<StoredMeta> for Meta {
    type Error = jiff::Error;

    fn try_from((id, created, modified, deleted, generation): StoredMeta) -> Result<Self, jiff::Error> {
        Ok(Self {
            id,
            time_created: Timestamp::from_microsecond(created)?,
            time_modified: Timestamp::from_microsecond(modified)?,
            time_deleted: deleted.map(Timestamp::from_microsecond).transpose()?,
            generation,
        })
    }
}

/// Whom a change concerns: written to the change log so that readers can filter it without loading the record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Scope {
    /// The silo the record belongs to; `None` for what belongs to the fleet.
    pub silo: Option<Uuid>,
    /// The project the record belongs to.
    pub project: Option<Uuid>,
}

impl Scope {
    /// What belongs to the whole fleet.
    pub const FLEET: Self = Self { silo: None, project: None };

    /// What belongs to a silo and to none of its projects.
    pub const fn silo(silo: Uuid) -> Self {
        Self { silo: Some(silo), project: None }
    }

    /// What belongs to a project.
    pub const fn project(silo: Uuid, project: Uuid) -> Self {
        Self { silo: Some(silo), project: Some(project) }
    }
}

/// A struct that is stored as one row of one table. Declared with [`record!`](crate::record).
pub trait Record: Serialize + DeserializeOwned + Clone + Send + 'static {
    /// The table's name, indexes and lookups.
    const TABLE: &'static Table;

    /// The record's bookkeeping.
    fn meta(&self) -> &Meta;

    /// The record's bookkeeping, for the store and for setting `time_modified`.
    fn meta_mut(&mut self) -> &mut Meta;

    /// What the record is listed under; nil for a root.
    fn parent(&self) -> Uuid {
        Uuid::nil()
    }

    /// The name, unique among the live rows of one parent; none in tables without names.
    fn name(&self) -> Option<&str> {
        None
    }

    /// The values of `TABLE.lookups`, in the same order.
    fn lookups(&self) -> Vec<Key> {
        Vec::new()
    }

    /// Whom a change of this record concerns.
    fn scope(&self) -> Scope {
        Scope::FLEET
    }

    /// Whether records of this table are searched.
    const SEARCHED: bool = false;

    /// What can be found of this record; none in tables that are not searched.
    fn searched(&self) -> Option<Searched> {
        None
    }
}

/// Implements [`Record`] for a struct with a field `meta: Meta`, and makes each lookup an associated constant of
/// the struct. Everything but `table` may be left out; the order is fixed.
///
/// ```
/// use croft_store::{KeyKind, Lookup, Meta, Scope, Table, record};
/// use serde::{Deserialize, Serialize};
/// use uuid::Uuid;
///
/// #[derive(Clone, Debug, Serialize, Deserialize)]
/// pub struct Volume {
///     pub meta: Meta,
///     pub name: String,
///     pub silo_id: Uuid,
///     pub project_id: Uuid,
///     pub machine_id: Option<Uuid>,
/// }
///
/// record! {
///     Volume as volume {
///         table: Table::named("volume");
///         parent: volume.project_id;
///         name: Some(volume.name.as_str());
///         scope: Scope::project(volume.silo_id, volume.project_id);
///         lookups: {
///             /// The machine that the volume is attached to.
///             MACHINE: Lookup::new("machine_id", KeyKind::Id) = volume.machine_id;
///         }
///     }
/// }
///
/// assert_eq!(Volume::MACHINE.column, "machine_id");
/// ```
#[macro_export]
macro_rules! record {
    (
        $record:ident as $this:ident {
            table: $table:expr;
            $(parent: $parent:expr;)?
            $(name: $name:expr;)?
            $(scope: $scope:expr;)?
            $(search: $search:expr;)?
            $(lookups: {
                $(
                    $(#[$attribute:meta])*
                    $lookup:ident: $declared:ident::$constructor:ident($($argument:expr),*)
                        $(.$method:ident($($setting:expr),*))* = $value:expr;
                )*
            })?
        }
    ) => {
        $(impl $record {
            $(
                $(#[$attribute])*
                pub const $lookup: &'static $crate::Lookup = {
                    static LOOKUP: $crate::Lookup =
                        $declared::$constructor($($argument),*)$(.$method($($setting),*))*;
                    &LOOKUP
                };
            )*
        })?

        impl $crate::Record for $record {
            const TABLE: &'static $crate::Table = {
                static TABLE: $crate::Table = $table$(.lookups(&[$($record::$lookup),*]))?;
                &TABLE
            };

            fn meta(&self) -> &$crate::Meta {
                &self.meta
            }

            fn meta_mut(&mut self) -> &mut $crate::Meta {
                &mut self.meta
            }

            $(fn parent(&self) -> ::uuid::Uuid {
                #[allow(unused_variables)]
                let $this = self;
                $parent
            })?

            $(fn name(&self) -> ::core::option::Option<&str> {
                #[allow(unused_variables)]
                let $this = self;
                $name
            })?

            $(fn scope(&self) -> $crate::Scope {
                #[allow(unused_variables)]
                let $this = self;
                $scope
            })?

            $(
                const SEARCHED: bool = true;

                fn searched(&self) -> ::core::option::Option<$crate::search::Searched> {
                    #[allow(unused_variables)]
                    let $this = self;
                    ::core::option::Option::Some($search)
                }
            )?

            $(fn lookups(&self) -> ::std::vec::Vec<$crate::Key> {
                #[allow(unused_variables)]
                let $this = self;
                ::std::vec![$($crate::Key::from($value)),*]
            })?
        }
    };
}
