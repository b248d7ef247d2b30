//! Labels of resources: how they are written, and how they follow their resource.
//!
//! They are records of their own beside the resource's ([`LabelSet`], [`Label`], [`LabelUse`]), so that no resource has to
//! know of them. The resource's entry of the search has them, too, and tells whoever deletes or moves a resource that
//! there are some.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Deserialize;
use uuid::Uuid;

use crate::{
    ListBy, Meta, Record as _, Scope, Sort, StoreError, Table, Tx,
    columns::Subject,
    for_each_record,
    key::Value,
    records::{FLEET, IpPoolRange, Label, LabelSet, LabelUse},
};

macro_rules! labelled_tables {
    ($($record:ident)*) => {
        [$({
            type Labelled = crate::records::$record;
            let table = <Labelled as crate::Record>::TABLE;
            (table.named && <Labelled as crate::Record>::SEARCHED).then_some(table)
        }),*]
    };
}

/// The table of a kind of resource that can have labels: those that have a name and are searched.
pub fn labelled(kind: &str) -> Option<&'static Table> {
    // The names of ranges are their first addresses, by which they are found.
    let has_name = |table: &&Table| table.name != IpPoolRange::TABLE.name;
    for_each_record!(labelled_tables).into_iter().flatten().filter(has_name).find(|table| table.name == kind)
}

/// The resource that labels are of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabelTarget {
    /// The name of its table.
    pub kind: String,
    /// Its id.
    pub id: Uuid,
    /// Where it belongs to.
    pub scope: Scope,
    /// See [`LabelSet::place_id`].
    pub place: Uuid,
}

/// What every document has.
#[derive(Deserialize)]
struct Document {
    meta: Meta,
}

impl Tx<'_> {
    /// Replaces the labels of a resource. `ids` makes the ids of new records. [`StoreError::Conflict`] if the labels were
    /// changed since `revision`, which is 0 for a resource that never had any.
    pub fn set_labels(
        &mut self,
        target: &LabelTarget,
        labels: BTreeMap<String, String>,
        revision: u64,
        now: Timestamp,
        mut ids: impl FnMut() -> Uuid,
    ) -> Result<LabelSet, StoreError> {
        let mut before = BTreeMap::new();
        let LabelTarget { kind, id, scope, place } = target;
        let set = match self.get::<LabelSet>(*id)? {
            Some(mut set) if set.meta.generation == revision => {
                before = std::mem::replace(&mut set.labels, labels);
                set.meta.time_modified = now;
                self.update(&mut set)?;
                set
            }
            None if revision == 0 => {
                let set = LabelSet {
                    meta: Meta::new(*id, now),
                    kind: kind.clone(),
                    place_id: *place,
                    silo_id: scope.silo,
                    project_id: scope.project,
                    labels,
                };
                self.insert(&set)?;
                set
            }
            _ => return Err(StoreError::Conflict),
        };
        for label in self.labels_of(*id, before.len())? {
            if set.labels.get(&label.key) != Some(&label.value) {
                self.remove_label(&label, now)?;
            }
        }
        for (key, value) in &set.labels {
            if before.get(key) != Some(value) {
                self.insert_label(&set, key, value, now, &mut ids)?;
            }
        }
        self.index_labels(kind, *id, &set.labels)?;
        Ok(set)
    }

    /// Writes into the change log that a resource changed, for whoever shows its labels. Does nothing if it is gone.
    pub fn announce_labels(&mut self, target: &LabelTarget, now: Timestamp) -> Result<(), StoreError> {
        let Some(table) = labelled(&target.kind) else { return Ok(()) };
        let mut meta = None;
        let session = self.session();
        session.query(&table.statements().get, &[Value::Id(target.id)], &mut |row| {
            meta = Some(serde_json::from_str::<Document>(row.text(0)?)?.meta);
            Ok(())
        })?;
        let (Some(meta), Some(entry)) = (meta, self.searched(target.id)?) else { return Ok(()) };
        let (name, parent) = (entry.name(), entry.parent);
        let subject = Subject { table, meta: &meta, name, parent, scope: target.scope };
        self.announce_subject(&subject, now)
    }

    /// Removes the labels of a resource that is gone.
    pub(crate) fn labels_gone(&mut self, id: Uuid, now: Timestamp) -> Result<(), StoreError> {
        let Some(set) = self.get::<LabelSet>(id)? else { return Ok(()) };
        self.remove::<LabelSet>(id, now)?;
        for label in self.labels_of(id, set.labels.len())? {
            self.remove_label(&label, now)?;
        }
        Ok(())
    }

    /// Lets the labels of a resource follow it into another scope, as when an image is promoted.
    pub(crate) fn labels_moved(&mut self, id: Uuid, scope: Scope, now: Timestamp) -> Result<(), StoreError> {
        let Some(mut set) = self.get::<LabelSet>(id)? else { return Ok(()) };
        set.place_id = scope.project.or(scope.silo).unwrap_or(FLEET);
        (set.silo_id, set.project_id) = (scope.silo, scope.project);
        self.update(&mut set)?;
        for mut label in self.labels_of(id, set.labels.len())? {
            self.count_label(&label, false, now, label.meta.id)?;
            label.place_id = set.place_id;
            (label.silo_id, label.project_id) = (scope.silo, scope.project);
            self.update(&mut label)?;
            // No label but this one makes this id, and in one place only.
            let new_id = Uuid::from_u128(label.meta.id.as_u128() ^ label.place_id.as_u128());
            self.count_label(&label, true, now, new_id)?;
        }
        Ok(())
    }

    /// The labels of a resource that has so many.
    fn labels_of(&mut self, resource: Uuid, count: usize) -> Result<Vec<Label>, StoreError> {
        self.page(ListBy::Parent(resource), Sort::IdAsc, None, count)
    }

    fn insert_label(
        &mut self,
        set: &LabelSet,
        key: &str,
        value: &str,
        now: Timestamp,
        ids: &mut impl FnMut() -> Uuid,
    ) -> Result<(), StoreError> {
        let label = Label {
            meta: Meta::new(ids(), now),
            resource_id: set.meta.id,
            kind: set.kind.clone(),
            place_id: set.place_id,
            silo_id: set.silo_id,
            project_id: set.project_id,
            key: key.to_owned(),
            value: value.to_owned(),
        };
        self.insert(&label)?;
        self.count_label(&label, true, now, ids())
    }

    fn remove_label(&mut self, label: &Label, now: Timestamp) -> Result<(), StoreError> {
        self.remove::<Label>(label.meta.id, now)?;
        self.count_label(label, false, now, label.meta.id)
    }

    /// Counts a resource more or less that has a label. `new_id` becomes the id if it is the first.
    fn count_label(
        &mut self,
        label: &Label,
        is_more: bool,
        now: Timestamp,
        new_id: Uuid,
    ) -> Result<(), StoreError> {
        let text = LabelUse::text(&label.kind, &label.key, &label.value);
        let found = self.get_by_name::<LabelUse>(label.place_id, &text)?;
        match (found, is_more) {
            (Some(mut in_use), true) => {
                in_use.resources += 1;
                self.update(&mut in_use)
            }
            (Some(in_use), false) if in_use.resources <= 1 => {
                self.remove::<LabelUse>(in_use.meta.id, now).map(drop)
            }
            (Some(mut in_use), false) => {
                in_use.resources -= 1;
                self.update(&mut in_use)
            }
            (None, true) => self.insert(&LabelUse {
                meta: Meta::new(new_id, now),
                place_id: label.place_id,
                silo_id: label.silo_id,
                project_id: label.project_id,
                text,
                resources: 1,
            }),
            (None, false) => {
                Err(StoreError::Corrupt(format!("the use of the label {text:?} is not counted")))
            }
        }
    }
}
