//! The operations by path, with their declarations and latencies.

use std::{collections::HashMap, sync::Arc};

use axum::extract::MatchedPath;
use croft_control::Operation;
use http::{Extensions, Method};

use crate::{latency::ByStatus, routes::Described};

/// An operation with its latencies.
pub(crate) struct Endpoint {
    /// Its id, such as `project_list`.
    pub(crate) id: &'static str,
    /// Its declaration; `None` if it has no rule.
    pub(crate) operation: Option<&'static Operation>,
    /// Its latencies.
    pub(crate) latencies: ByStatus,
}

impl Endpoint {
    pub(crate) fn new(id: &'static str, operation: Option<&'static Operation>) -> Self {
        Self { id, operation, latencies: ByStatus::default() }
    }
}

/// All operations, by path pattern and method.
pub(crate) struct Endpoints {
    by_path: HashMap<String, Vec<(Method, Arc<Endpoint>)>>,
    /// Everything that is not an operation: pages, assets, unknown paths.
    pub(crate) other: Arc<Endpoint>,
}

impl Endpoints {
    /// Indexes the operations by path.
    pub(crate) fn new(operations: Vec<Described>) -> Self {
        let mut by_path = HashMap::<_, Vec<_>>::new();
        for Described { path, method, id, operation } in operations {
            by_path.entry(path).or_default().push((method, Arc::new(Endpoint::new(id, operation))));
        }
        Self { by_path, other: Arc::new(Endpoint::new("other", None)) }
    }

    /// The operation of a routed request.
    pub(crate) fn find(&self, method: &Method, extensions: &Extensions) -> Option<&Arc<Endpoint>> {
        let path = extensions.get::<MatchedPath>()?.as_str();
        // The API document has no syntax for a parameter that may contain slashes.
        let endpoints = if path.contains("{*") {
            self.by_path.get(&path.replace("{*", "{"))
        } else {
            self.by_path.get(path)
        }?;
        let of = |method: &Method| endpoints.iter().find(|(own, _)| own == method);
        let found = of(method).or_else(|| if method == Method::HEAD { of(&Method::GET) } else { None });
        found.map(|(_, endpoint)| endpoint)
    }

    /// All operations, sorted by id.
    pub(crate) fn all(&self) -> Vec<&Endpoint> {
        let mut all: Vec<_> = self.by_path.values().flatten().map(|(_, endpoint)| &**endpoint).collect();
        all.push(&self.other);
        all.sort_by(|a, b| a.id.cmp(b.id));
        all
    }
}
