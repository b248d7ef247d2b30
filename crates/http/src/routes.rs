//! Where operations stand: tables of handlers, as code that adds one after another is many times as large. Their part of the
//! OpenAPI documents is there if it is asked for (feature `describe`): describing 272 operations and their types takes as
//! much code as running them, and the documents are files.

use std::mem;

use axum::{
    Router,
    routing::{MethodFilter, MethodRouter},
};
use croft_control::Operation;
use http::Method;
use utoipa::openapi::HttpMethod;

use crate::app::App;

/// One operation and where it stands.
pub(crate) struct Described {
    /// The pattern of its path.
    pub(crate) path: String,
    /// Its method.
    pub(crate) method: Method,
    /// Its id, such as `project_list`.
    pub(crate) id: &'static str,
    /// Its declaration; `None` where there is no rule to run.
    pub(crate) operation: Option<&'static Operation>,
}

/// A handler with where it stands.
pub(crate) struct Named {
    pub(crate) path: fn() -> String,
    pub(crate) methods: fn() -> Vec<HttpMethod>,
    pub(crate) id: &'static str,
    pub(crate) operation: Option<&'static Operation>,
    /// Has the handler answer requests of a method.
    pub(crate) route: fn(MethodFilter) -> MethodRouter<App>,
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

/// Handlers, with their part of the document.
pub(crate) struct Routes {
    pub(crate) named: &'static [Named],
    #[cfg(feature = "describe")]
    pub(crate) document: fn() -> utoipa::openapi::OpenApi,
}

/// The table of some handlers, each declared with `utoipa::path`. A handler is called as its operation is: `disk_create` is the
/// handler of [`operation::DISK_CREATE`](croft_control::operation::DISK_CREATE), and does not compile without it.
macro_rules! routes {
    (without_operation: $handler:ident) => {
        crate::routes::routes!(@table [$handler, None])
    };
    ($($handler:ident),+ $(,)?) => {
        crate::routes::routes!(@table $([
            $handler,
            // The compiler shows this line if an operation is missing, also if only its module is not in the list.
            Some(pastey::paste!(&croft_control::operation::[<$handler:upper>])) // see `for_each_declaration!`
        ])+)
    };
    (@table $([$handler:ident, $operation:expr])+) => {
        crate::routes::Routes {
            named: &[$(crate::routes::Named {
                path: pastey::paste!(<[<__path_ $handler>] as utoipa::Path>::path),
                methods: pastey::paste!(<[<__path_ $handler>] as utoipa::Path>::methods),
                id: stringify!($handler),
                operation: $operation,
                route: |method| axum::routing::on(method, $handler),
            }),+],
            #[cfg(feature = "describe")]
            document: {
                #[derive(utoipa::OpenApi)]
                #[openapi(paths($($handler),+))]
                struct Operations;
                <Operations as utoipa::OpenApi>::openapi
            },
        }
    };
}
pub(crate) use routes;

/// A router that knows the names of its operations.
pub(crate) struct OpenApiRouter {
    router: Router<App>,
    described: Vec<Described>,
    #[cfg(feature = "describe")]
    documents: Documents,
}

/// What was collected of the two documents.
#[cfg(feature = "describe")]
#[derive(Default)]
pub(crate) struct Documents {
    /// The operations of the contract: `openapi.json`.
    pub(crate) contract: utoipa::openapi::OpenApi,
    /// The operations beside it: `openapi-croft.json`.
    pub(crate) extensions: utoipa::openapi::OpenApi,
}

impl OpenApiRouter {
    pub(crate) fn new() -> Self {
        Self {
            router: Router::new(),
            described: Vec::new(),
            #[cfg(feature = "describe")]
            documents: Documents::default(),
        }
    }

    /// Adds operations of the contract at their paths.
    pub(crate) fn routes(mut self, routes: Routes) -> Self {
        #[cfg(feature = "describe")]
        self.documents.contract.merge((routes.document)());
        self.add(&routes);
        self
    }

    /// Adds operations beside the contract at their paths, which start with `/experimental/v1/`.
    pub(crate) fn extensions(mut self, routes: Routes) -> Self {
        #[cfg(feature = "describe")]
        self.documents.extensions.merge((routes.document)());
        self.add(&routes);
        self
    }

    fn add(&mut self, routes: &Routes) {
        for named in routes.named {
            let path = (named.path)();
            for (method, filter) in named.methods() {
                self.router = mem::take(&mut self.router).route(&path, (named.route)(filter));
                self.described.push(Described {
                    path: path.clone(),
                    method,
                    id: named.id,
                    operation: named.operation,
                });
            }
        }
    }

    /// Has what was added so far described, and answered nowhere.
    pub(crate) fn described_alone(mut self) -> Self {
        self.router = Router::new();
        self
    }

    /// Adds what no document describes.
    pub(crate) fn route(mut self, path: &str, methods: MethodRouter<App>) -> Self {
        self.router = self.router.route(path, methods);
        self
    }

    pub(crate) fn merge(mut self, other: Self) -> Self {
        self.router = self.router.merge(other.router);
        self.described.extend(other.described);
        #[cfg(feature = "describe")]
        {
            self.documents.contract.merge(other.documents.contract);
            self.documents.extensions.merge(other.documents.extensions);
        }
        self
    }

    /// Every operation that was added.
    pub(crate) fn into_described(self) -> Vec<Described> {
        self.described
    }

    /// What was collected of the documents.
    #[cfg(feature = "describe")]
    pub(crate) fn into_documents(self) -> Documents {
        self.documents
    }
}

impl From<OpenApiRouter> for Router<App> {
    fn from(router: OpenApiRouter) -> Self {
        router.router
    }
}
