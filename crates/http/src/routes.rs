//! How operations are collected: natively with their part of the OpenAPI document; in a browser with their names alone,
//! as describing 272 operations and their types is a third of a program that is fetched for each visit.

#[cfg(not(target_family = "wasm"))]
pub(crate) use utoipa_axum::{router::OpenApiRouter, routes};

use http::Method;

/// One operation and where it stands.
pub(crate) struct Described {
    /// The pattern of its path.
    pub(crate) path: String,
    /// Its method.
    pub(crate) method: Method,
    /// Its id, such as `project_list`.
    pub(crate) id: String,
}

/// The operations of a document.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn described(document: &utoipa::openapi::OpenApi) -> Vec<Described> {
    let mut described = Vec::new();
    for (path, item) in &document.paths.paths {
        let methods = [
            (Method::GET, &item.get),
            (Method::PUT, &item.put),
            (Method::POST, &item.post),
            (Method::DELETE, &item.delete),
            (Method::PATCH, &item.patch),
            (Method::HEAD, &item.head),
        ];
        described.extend(methods.into_iter().filter_map(|(method, operation)| {
            let id = operation.as_ref()?.operation_id.clone()?;
            Some(Described { path: path.clone(), method, id })
        }));
    }
    described
}

/// Handlers of one path, as the macro of the same name natively takes them.
#[cfg(target_family = "wasm")]
macro_rules! routes_by_name {
    ($($handler:ident),+ $(,)?) => {
        utoipa_axum::paste! {
            crate::routes::Routes(&[$(crate::routes::Named {
                path: <[<__path_ $handler>] as utoipa::Path>::path,
                methods: <[<__path_ $handler>] as utoipa::Path>::methods,
                id: stringify!($handler),
                handler: crate::handler::AnyHandler(|parts, app| {
                    crate::handler::Handler::begin(&$handler, parts, app)
                }),
            }),+])
        }
    };
}
#[cfg(target_family = "wasm")]
pub(crate) use {
    nameless::{Named, OpenApiRouter, Routes},
    routes_by_name as routes,
};

#[cfg(target_family = "wasm")]
mod nameless {
    use axum::{
        Router,
        routing::{MethodFilter, MethodRouter},
    };
    use http::Method;
    use utoipa::openapi::HttpMethod;

    use super::Described;
    use crate::{app::App, handler::AnyHandler};

    /// A handler with where it stands.
    pub(crate) struct Named {
        pub(crate) path: fn() -> String,
        pub(crate) methods: fn() -> Vec<HttpMethod>,
        pub(crate) id: &'static str,
        pub(crate) handler: AnyHandler,
    }

    impl Named {
        fn methods(&self) -> impl Iterator<Item = (Method, MethodFilter)> {
            (self.methods)().into_iter().map(|method| match method {
                HttpMethod::Get => (Method::GET, MethodFilter::GET),
                HttpMethod::Put => (Method::PUT, MethodFilter::PUT),
                HttpMethod::Post => (Method::POST, MethodFilter::POST),
                HttpMethod::Delete => (Method::DELETE, MethodFilter::DELETE),
                HttpMethod::Patch => (Method::PATCH, MethodFilter::PATCH),
                HttpMethod::Head => (Method::HEAD, MethodFilter::HEAD),
                HttpMethod::Options => (Method::OPTIONS, MethodFilter::OPTIONS),
                HttpMethod::Trace => (Method::TRACE, MethodFilter::TRACE),
            })
        }
    }

    /// Handlers of one path. A table, as code that adds one after another is many times as large.
    pub(crate) struct Routes(pub(crate) &'static [Named]);

    /// A router that knows the names of its operations.
    pub(crate) struct OpenApiRouter<S = App> {
        router: Router<S>,
        described: Vec<Described>,
    }

    impl OpenApiRouter<App> {
        pub(crate) fn new() -> Self {
            Self::with_openapi(Vec::new())
        }

        pub(crate) fn with_openapi(described: Vec<Described>) -> Self {
            Self { router: Router::new(), described }
        }

        pub(crate) fn routes(mut self, routes: Routes) -> Self {
            for named in routes.0 {
                let path = (named.path)();
                for (method, filter) in named.methods() {
                    self.router = self.router.route(&path, MethodRouter::new().on(filter, named.handler));
                    self.described.push(Described { path: path.clone(), method, id: named.id.to_owned() });
                }
            }
            self
        }

        pub(crate) fn route(mut self, path: &str, methods: MethodRouter<App>) -> Self {
            self.router = self.router.route(path, methods);
            self
        }

        pub(crate) fn merge(mut self, other: Self) -> Self {
            self.router = self.router.merge(other.router);
            self.described.extend(other.described);
            self
        }

        pub(crate) fn into_openapi(self) -> Vec<Described> {
            self.described
        }
    }

    impl From<OpenApiRouter<App>> for Router<App> {
        fn from(router: OpenApiRouter<App>) -> Self {
            router.router
        }
    }
}
