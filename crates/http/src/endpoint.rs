//! What stands at each path: the operation of the contract, its rule's declaration, and how it fares.

use std::{
    collections::HashMap,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use axum::extract::MatchedPath;
use croft_control::{Operation, operation};
use http::{Extensions, Method, StatusCode};
use utoipa::openapi::{OpenApi, PathItem};

/// Upper bounds of the latency histogram, in microseconds.
pub(crate) const BUCKETS: [u64; 12] =
    [100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 500_000, 2_500_000];

/// One operation and how it fares.
pub(crate) struct Endpoint {
    /// Its id, such as `project_list`.
    pub(crate) id: String,
    /// How its rule is declared; none where there is no rule to run.
    pub(crate) operation: Option<&'static Operation>,
    /// Answers by the first digit of their status, from 1 to 5.
    pub(crate) by_class: [AtomicU64; 5],
    /// Answers by latency; the last place holds those above every bound.
    pub(crate) by_latency: [AtomicU64; BUCKETS.len() + 1],
    /// Sum of all latencies, in microseconds.
    pub(crate) microseconds: AtomicU64,
}

impl Endpoint {
    fn new(id: &str) -> Self {
        Self {
            id: id.to_owned(),
            operation: operation::ALL.iter().find(|operation| operation.id == id),
            by_class: Default::default(),
            by_latency: Default::default(),
            microseconds: AtomicU64::default(),
        }
    }

    /// Counts an answer.
    pub(crate) fn record(&self, status: StatusCode, latency: Duration) {
        let class = usize::from(status.as_u16() / 100).clamp(1, 5) - 1;
        self.by_class[class].fetch_add(1, Relaxed);
        let microseconds = u64::try_from(latency.as_micros()).unwrap_or(u64::MAX);
        let bucket = BUCKETS.partition_point(|bound| *bound < microseconds);
        self.by_latency[bucket].fetch_add(1, Relaxed);
        self.microseconds.fetch_add(microseconds, Relaxed);
    }
}

/// Every operation by the path pattern and the method that lead to it.
pub(crate) struct Endpoints {
    by_path: HashMap<String, Vec<(Method, Arc<Endpoint>)>>,
    /// Everything that is no operation: pages, assets, unknown paths.
    pub(crate) other: Arc<Endpoint>,
}

impl Endpoints {
    /// Reads the document that the routes were made with.
    pub(crate) fn new(document: &OpenApi) -> Self {
        let by_path = document.paths.paths.iter().map(|(path, item)| (path.clone(), endpoints(item)));
        Self { by_path: by_path.collect(), other: Arc::new(Endpoint::new("other")) }
    }

    /// The operation that a routed request is for.
    pub(crate) fn find(&self, method: &Method, extensions: &Extensions) -> Option<&Arc<Endpoint>> {
        let path = extensions.get::<MatchedPath>()?;
        let method = if method == Method::HEAD { &Method::GET } else { method };
        let (_, endpoint) = self.by_path.get(path.as_str())?.iter().find(|(m, _)| m == method)?;
        Some(endpoint)
    }

    /// All of them, in the order of their ids.
    pub(crate) fn all(&self) -> Vec<&Endpoint> {
        let mut all: Vec<_> = self.by_path.values().flatten().map(|(_, endpoint)| &**endpoint).collect();
        all.push(&self.other);
        all.sort_by(|a, b| a.id.cmp(&b.id));
        all
    }
}

fn endpoints(item: &PathItem) -> Vec<(Method, Arc<Endpoint>)> {
    let methods = [
        (Method::GET, &item.get),
        (Method::PUT, &item.put),
        (Method::POST, &item.post),
        (Method::DELETE, &item.delete),
        (Method::PATCH, &item.patch),
    ];
    methods
        .into_iter()
        .filter_map(|(method, operation)| {
            let id = operation.as_ref()?.operation_id.as_deref()?;
            Some((method, Arc::new(Endpoint::new(id))))
        })
        .collect()
}
