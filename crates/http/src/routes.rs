//! The routes of operations, as tables of handlers, because code that adds one after another compiles to many times the
//! size. Their part of the OpenAPI documents is optional (feature `describe`): the descriptions of 272 operations and
//! their types take as much code as the operations themselves, and the documents are files.

use std::mem;

use axum::{
    Router,
    routing::{MethodFilter, MethodRouter},
};
use croft_control::Operation;
use http::Method;
use utoipa::openapi::HttpMethod;

use crate::app::App;

/// An operation with its route.
pub(crate) struct Described {
    /// The pattern of its path.
    pub(crate) path: String,
    /// Its method.
    pub(crate) method: Method,
    /// Its id, such as `project_list`.
    pub(crate) id: &'static str,
    /// Its declaration; `None` if it has no rule.
    pub(crate) operation: Option<&'static Operation>,
}

/// A handler with its route.
pub(crate) struct Named {
    pub(crate) path: fn() -> String,
    pub(crate) methods: fn() -> Vec<HttpMethod>,
    pub(crate) id: &'static str,
    pub(crate) operation: Option<&'static Operation>,
    /// Registers the handler for a method.
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

/// The table of some handlers, each declared with `utoipa::path`. A handler is named after its operation: `disk_create`
/// is the handler of [`operation::DISK_CREATE`](croft_control::operation::DISK_CREATE), and does not compile without
/// it.
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

/// A router with a list of its operations.
pub(crate) struct OpenApiRouter {
    router: Router<App>,
    described: Vec<Described>,
    #[cfg(feature = "describe")]
    documents: Documents,
}

/// The collected parts of the two documents.
#[cfg(feature = "describe")]
#[derive(Default)]
pub(crate) struct Documents {
    /// The operations of the contract: `openapi.json`.
    pub(crate) contract: utoipa::openapi::OpenApi,
    /// The extensions: `openapi-croft.json`.
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

    /// Adds operations of the contract.
    pub(crate) fn routes(mut self, routes: Routes) -> Self {
        #[cfg(feature = "describe")]
        self.documents.contract.merge((routes.document)());
        self.add(&routes);
        self
    }

    /// Adds extensions, whose paths start with `/experimental/v1/`.
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

    /// Keeps the descriptions of what was added so far, without the routes.
    pub(crate) fn described_alone(mut self) -> Self {
        self.router = Router::new();
        self
    }

    /// Adds routes that are not in the documents.
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

    /// All operations.
    pub(crate) fn into_described(self) -> Vec<Described> {
        self.described
    }

    /// The collected parts of the documents.
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
