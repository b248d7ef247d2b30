//! The in-memory state: all schemas, all timeseries with an index of their fields, and the latest points of each.

use std::{
    collections::{BTreeMap, HashMap, HashSet},
    sync::Arc,
};

use croft_oxql::model::{FieldValue, Sample, Schema, TimeseriesName};
use jiff::Timestamp;

use super::{
    block::{Block, Point},
    file::Stored,
};

/// A block that has this many points is full.
const FULL: u32 = 120;
/// A block covers no more than this many nanoseconds.
const LONGEST: i64 = 3_600_000_000_000;
/// A block that has been open for this many flushes is closed, which bounds the length of the journal.
const MOST_SEGMENTS: i64 = 240;

/// A point as the journal has it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Entry {
    pub(super) series: u64,
    pub(super) point: Point,
}

/// A schema with its timeseries.
#[derive(Debug)]
pub(super) struct SchemaSeries {
    pub(super) schema: Arc<Schema>,
    by_fields: HashMap<Arc<[FieldValue]>, u64>,
    /// For each field, which timeseries have which value, in ascending order.
    postings: Vec<HashMap<FieldValue, Vec<u64>>>,
}

impl SchemaSeries {
    fn new(schema: Arc<Schema>) -> Self {
        let postings = schema.fields.iter().map(|_| HashMap::new()).collect();
        Self { schema, by_fields: HashMap::new(), postings }
    }
}

/// One timeseries.
#[derive(Debug)]
pub(super) struct Timeseries {
    /// The place of its schema in [`State::schemas`].
    pub(super) schema: usize,
    pub(super) fields: Arc<[FieldValue]>,
    /// The latest timestamp of all, wherever it is.
    pub(super) last: Option<i64>,
    /// The points that the journal alone has.
    pub(super) open: Block,
    /// The segment of the journal that has the first of them.
    open_since: i64,
    /// Full blocks that are not in the file yet.
    pub(super) closed: Vec<Arc<Block>>,
}

/// What one flush writes.
#[derive(Debug, Default)]
pub(super) struct Plan {
    pub(super) schemas: Vec<(usize, Arc<Schema>)>,
    pub(super) series: Vec<(u64, usize, Arc<[FieldValue]>)>,
    pub(super) blocks: Vec<(u64, Arc<Block>)>,
    /// Blocks that begin with less detail.
    pub(super) thinned: Vec<(u64, Stored)>,
    pub(super) entries: Vec<Entry>,
    /// The number of the segment with the entries.
    pub(super) segment: i64,
    /// The oldest segment that is still needed.
    pub(super) oldest_segment: i64,
}

/// The result of recording a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SampleOutcome {
    /// It is kept.
    Kept,
    /// There is already a sample of this time or a later one.
    Late,
    /// It does not fit the schema.
    Misfit,
}

/// All of it.
#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) schemas: Vec<SchemaSeries>,
    by_name: BTreeMap<TimeseriesName, Vec<usize>>,
    pub(super) series: BTreeMap<u64, Timeseries>,
    next_series: u64,
    /// Points that the journal does not have yet.
    pub(super) pending: Vec<Entry>,
    next_segment: i64,
    new_schemas: HashSet<usize>,
    new_series: HashSet<u64>,
}

impl State {
    /// The schema of a name: of its versions, the latest that there are samples of.
    pub(super) fn schema(&self, name: &TimeseriesName) -> Option<&Arc<Schema>> {
        let versions = self.by_name.get(name)?;
        let all = versions.iter().map(|place| &self.schemas[*place].schema);
        all.max_by_key(|schema| schema.version)
    }

    /// Those after a name, in the order of names.
    pub(super) fn schemas_after(&self, after: Option<&TimeseriesName>) -> impl Iterator<Item = &Arc<Schema>> {
        use std::ops::Bound::{Excluded, Unbounded};
        let names = self.by_name.range((after.map_or(Unbounded, Excluded), Unbounded));
        names.filter_map(|(name, _)| self.schema(name))
    }

    fn place(&self, schema: &Schema) -> Option<usize> {
        let versions = self.by_name.get(&schema.name)?;
        versions.iter().copied().find(|place| self.schemas[*place].schema.version == schema.version)
    }

    /// Takes in a schema from the file.
    pub(super) fn load_schema(&mut self, schema: Arc<Schema>) -> usize {
        let place = self.schemas.len();
        self.by_name.entry(schema.name.clone()).or_default().push(place);
        self.schemas.push(SchemaSeries::new(schema));
        place
    }

    /// Takes in a timeseries from the file, with the time of its last stored point.
    pub(super) fn load_series(
        &mut self,
        id: u64,
        schema: usize,
        fields: Arc<[FieldValue]>,
        last: Option<i64>,
    ) {
        let known = &mut self.schemas[schema];
        known.by_fields.insert(Arc::clone(&fields), id);
        for (posting, value) in known.postings.iter_mut().zip(fields.iter()) {
            posting.entry(value.clone()).or_default().push(id);
        }
        let (open, closed) = (Block::default(), Vec::new());
        self.series.insert(id, Timeseries { schema, fields, last, open, open_since: 0, closed });
        self.next_series = self.next_series.max(id + 1);
    }

    /// Loads a segment of the journal. Points that the blocks already have are skipped.
    pub(super) fn load_segment(&mut self, segment: i64, entries: Vec<Entry>) {
        self.next_segment = segment;
        for Entry { series, point } in entries {
            self.push(series, &point);
        }
        self.next_segment = segment + 1;
    }

    /// The index of the schema that samples of this one are stored under; `None` if they contradict each other. A new
    /// schema is created at the time of its first sample.
    pub(super) fn admit(&mut self, schema: &Schema, first: Timestamp) -> Option<usize> {
        if let Some(place) = self.place(schema) {
            return self.schemas[place].schema.agrees_with(schema).then_some(place);
        }
        let place = self.load_schema(Arc::new(Schema { created: first, ..schema.clone() }));
        self.new_schemas.insert(place);
        Some(place)
    }

    /// Takes in a sample of an [admitted](Self::admit) schema. `order` says where each stored field is among the
    /// sample's, if not in the same place.
    pub(super) fn take(&mut self, schema: usize, order: Option<&[usize]>, sample: Sample) -> SampleOutcome {
        let Sample { fields, timestamp, start_time, datum } = sample;
        let datum_type = self.schemas[schema].schema.datum_type;
        let fits = datum.as_ref().is_none_or(|datum| datum.fits(datum_type))
            && start_time.is_some() == datum_type.is_cumulative();
        let series = if fits { self.find_or_make(schema, order, fields) } else { None };
        let Some(series) = series else { return SampleOutcome::Misfit };
        let point = Point { timestamp, start: start_time.unwrap_or(0), datum };
        if !self.push(series, &point) {
            return SampleOutcome::Late;
        }
        self.pending.push(Entry { series, point });
        SampleOutcome::Kept
    }

    /// The timeseries with these fields, in that order; `None` if they do not fit the schema.
    pub(super) fn find_or_make(
        &mut self,
        schema: usize,
        order: Option<&[usize]>,
        fields: Vec<FieldValue>,
    ) -> Option<u64> {
        let known = &self.schemas[schema];
        let fields = match order {
            Some(order) if order.len() == fields.len() => {
                order.iter().map(|place| fields[*place].clone()).collect()
            }
            _ => fields,
        };
        if !known.schema.fits(&fields) {
            return None;
        }
        Some(known.by_fields.get(fields.as_slice()).copied().unwrap_or_else(|| {
            let id = self.next_series;
            self.load_series(id, schema, fields.into(), None);
            self.new_series.insert(id);
            id
        }))
    }

    /// Adds a point to what is open. Returns whether it is later than all others.
    fn push(&mut self, series: u64, point: &Point) -> bool {
        let Some(timeseries) = self.series.get_mut(&series) else { return false };
        if timeseries.last.is_some_and(|last| last >= point.timestamp) {
            return false;
        }
        timeseries.last = Some(point.timestamp);
        let open = &timeseries.open;
        if open.count >= FULL || open.count > 0 && point.timestamp.saturating_sub(open.first) > LONGEST {
            timeseries.close();
        }
        if timeseries.open.count == 0 {
            timeseries.open_since = self.next_segment;
        }
        timeseries.open.push(point);
        true
    }

    /// Takes what the next flush must write; `None` if there is nothing.
    pub(super) fn plan_if_needed(&mut self) -> Option<Plan> {
        let idle =
            self.pending.is_empty() && self.series.values().all(|series| !series.waits(self.next_segment));
        (!idle).then(|| self.plan())
    }

    /// Takes what the next flush must write.
    pub(super) fn plan(&mut self) -> Plan {
        let mut plan =
            Plan { segment: self.next_segment, oldest_segment: self.next_segment, ..Plan::default() };
        for (id, timeseries) in &mut self.series {
            if timeseries.is_old(plan.segment) {
                timeseries.close();
            }
            if timeseries.open.count > 0 {
                plan.oldest_segment = plan.oldest_segment.min(timeseries.open_since);
            }
            plan.blocks.extend(timeseries.closed.iter().map(|block| (*id, Arc::clone(block))));
        }
        self.next_segment += 1;
        plan.entries = std::mem::take(&mut self.pending);
        plan.schemas =
            self.new_schemas.iter().map(|place| (*place, Arc::clone(&self.schemas[*place].schema))).collect();
        let series =
            |id: &u64| self.series.get(id).map(|series| (*id, series.schema, Arc::clone(&series.fields)));
        plan.series = self.new_series.iter().filter_map(series).collect();
        plan
    }

    /// Called after the plan was carried out.
    pub(super) fn done(&mut self, plan: &Plan) {
        for (place, _) in &plan.schemas {
            self.new_schemas.remove(place);
        }
        for (id, ..) in &plan.series {
            self.new_series.remove(id);
        }
        for (id, block) in &plan.blocks {
            if let Some(timeseries) = self.series.get_mut(id) {
                timeseries.closed.retain(|closed| !Arc::ptr_eq(closed, block));
            }
        }
        for (id, block) in &plan.thinned {
            if let Some(timeseries) = self.series.get_mut(id) {
                timeseries.last = timeseries.last.max(Some(block.last));
            }
        }
    }

    /// Called if the plan failed: its entries wait for the next one. The number of its segment stays unused.
    pub(super) fn undone(&mut self, plan: Plan) {
        let later = std::mem::replace(&mut self.pending, plan.entries);
        self.pending.extend(later);
    }

    /// Called after the file was replaced by an empty one.
    pub(super) fn stored_nothing(&mut self) {
        self.new_schemas = (0..self.schemas.len()).collect();
        self.new_series = self.series.keys().copied().collect();
        for timeseries in self.series.values_mut().filter(|timeseries| timeseries.open.count > 0) {
            timeseries.close();
        }
    }

    /// Those of these timeseries that memory has no points of.
    pub(super) fn without_points(&self, ids: &[u64]) -> Vec<u64> {
        let is_empty = |id: &&u64| {
            let idle = |series: &Timeseries| series.open.count == 0 && series.closed.is_empty();
            self.series.get(id).is_some_and(idle) && !self.new_series.contains(id)
        };
        ids.iter().filter(is_empty).copied().collect()
    }

    /// Removes timeseries without points.
    pub(super) fn forget(&mut self, ids: &[u64]) {
        for id in ids {
            let Some(timeseries) = self.series.remove(id) else { continue };
            let known = &mut self.schemas[timeseries.schema];
            known.by_fields.remove(&timeseries.fields);
            for (posting, value) in known.postings.iter_mut().zip(timeseries.fields.iter()) {
                if let Some(ids) = posting.get_mut(value) {
                    ids.retain(|other| other != id);
                    if ids.is_empty() {
                        posting.remove(value);
                    }
                }
            }
        }
    }

    /// The timeseries of a schema with these values of fields, in ascending order of their ids.
    pub(super) fn matching(
        &self,
        schema: &Schema,
        equal: &[(usize, FieldValue)],
    ) -> Vec<(u64, Arc<[FieldValue]>)> {
        let Some(known) = self.place(schema).map(|place| &self.schemas[place]) else { return Vec::new() };
        let fields = |id: u64| Some((id, Arc::clone(&self.series.get(&id)?.fields)));
        let mut lists = Vec::with_capacity(equal.len());
        for (field, value) in equal {
            match known.postings.get(*field).and_then(|posting| posting.get(value)) {
                Some(list) => lists.push(list),
                None => return Vec::new(),
            }
        }
        let Some(shortest) = lists.into_iter().min_by_key(|list| list.len()) else {
            let mut all: Vec<u64> = known.by_fields.values().copied().collect();
            all.sort_unstable();
            return all.into_iter().filter_map(fields).collect();
        };
        let fits =
            |fields: &[FieldValue]| equal.iter().all(|(field, value)| fields.get(*field) == Some(value));
        shortest.iter().filter_map(|id| fields(*id)).filter(|(_, fields)| fits(fields)).collect()
    }
}

impl Timeseries {
    /// Whether what is open has to be closed, so that the journal need not go back further than this segment.
    fn is_old(&self, segment: i64) -> bool {
        self.open.count > 0 && self.open_since <= segment - MOST_SEGMENTS
    }

    /// Whether a flush has a block of it to write.
    fn waits(&self, segment: i64) -> bool {
        !self.closed.is_empty() || self.is_old(segment)
    }

    fn close(&mut self) {
        self.closed.push(Arc::new(std::mem::take(&mut self.open)));
    }

    /// The blocks in memory, in order.
    pub(super) fn blocks(&self) -> Vec<Arc<Block>> {
        let mut blocks = self.closed.clone();
        if self.open.count > 0 {
            blocks.push(Arc::new(self.open.clone()));
        }
        blocks
    }
}
