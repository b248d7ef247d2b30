//! How handlers are called: they are functions of the kind that axum takes, but all that is not their own is compiled
//! once and not for each of them, which would be a twentieth of the program.

use std::pin::Pin;

use axum::{
    body::Body,
    extract::Request,
    response::{IntoResponse as _, Response},
};
use bytes::Bytes;
use http::{HeaderMap, request::Parts};

use crate::{
    app::App,
    extract::{Part, Whole, whole_within},
    failure::Result,
};

/// What a handler does until it has an answer.
type Work = Pin<Box<dyn Future<Output = Result<Response>> + Send>>;

/// What makes a handler's work of the whole body.
type OfWhole = Box<dyn FnOnce(&HeaderMap, Bytes) -> Result<Work> + Send>;

/// What a handler needs before its work can begin.
pub(crate) enum Begun {
    /// Nothing more.
    Work(Work),
    /// The whole body, of no more bytes than this.
    Whole(usize, OfWhole),
    /// The body as it comes, and all the rest.
    Request(Box<dyn FnOnce(Request) -> Work + Send>),
}

/// An asynchronous function that takes parts of a request, the last of which may be the body.
pub(crate) trait Handler<Arguments> {
    fn begin(&self, parts: &mut Parts, app: &App) -> Result<Begun>;
}

/// The last argument of a handler. `Kind` tells implementations apart for which a type might have several.
pub(crate) trait FinalArg<Kind>: Sized {
    fn begin(
        parts: &mut Parts,
        app: &App,
        handler: impl FnOnce(Self) -> Work + Send + 'static,
    ) -> Result<Begun>;
}

pub(crate) struct ViaParts;
pub(crate) struct ViaBody;

impl<T: Part> FinalArg<ViaParts> for T {
    fn begin(parts: &mut Parts, app: &App, handler: impl FnOnce(Self) -> Work) -> Result<Begun> {
        Ok(Begun::Work(handler(T::taken_from(parts, app)?)))
    }
}

impl<T: Whole> FinalArg<ViaBody> for T {
    fn begin(_: &mut Parts, _: &App, handler: impl FnOnce(Self) -> Work + Send + 'static) -> Result<Begun> {
        let rest = move |headers: &HeaderMap, body| Ok(handler(T::of(headers, body)?));
        Ok(Begun::Whole(T::LIMIT, Box::new(rest)))
    }
}

impl FinalArg<Request> for Request {
    fn begin(_: &mut Parts, _: &App, handler: impl FnOnce(Self) -> Work + Send + 'static) -> Result<Begun> {
        Ok(Begun::Request(Box::new(handler)))
    }
}

impl FinalArg<Body> for Body {
    fn begin(_: &mut Parts, _: &App, handler: impl FnOnce(Self) -> Work + Send + 'static) -> Result<Begun> {
        Ok(Begun::Request(Box::new(|request| handler(request.into_body()))))
    }
}

macro_rules! handlers {
    ($($argument:ident)*) => {
        #[allow(non_snake_case, reason = "arguments are called as their types")]
        impl<F, Answer, Kind, $($argument,)* Final> Handler<(Kind, $($argument,)* Final)> for F
        where
            F: Fn($($argument,)* Final) -> Answer + Clone + Send + 'static,
            Answer: Future<Output = Result<Response>> + Send + 'static,
            $($argument: Part + Send + 'static,)*
            Final: FinalArg<Kind>,
        {
            fn begin(&self, parts: &mut Parts, app: &App) -> Result<Begun> {
                $(let $argument = $argument::taken_from(parts, app)?;)*
                let handler = self.clone();
                Final::begin(parts, app, move |last| Box::pin(handler($($argument,)* last)))
            }
        }
    };
}

handlers!();
handlers!(A);
handlers!(A B);
handlers!(A B C);

/// A handler of a name, as it is given to a route.
macro_rules! any {
    ($handler:ident) => {
        crate::handler::AnyHandler(|parts, app| crate::handler::Handler::begin(&$handler, parts, app))
    };
}
pub(crate) use any;

/// Any handler.
#[derive(Clone, Copy)]
pub(crate) struct AnyHandler(pub(crate) fn(&mut Parts, &App) -> Result<Begun>);

impl AnyHandler {
    async fn answer(self, request: Request, app: App) -> Result<Response> {
        let (mut parts, body) = request.into_parts();
        let work = match (self.0)(&mut parts, &app)? {
            Begun::Work(work) => work,
            Begun::Whole(limit, rest) => {
                let (headers, body) = whole_within(Request::from_parts(parts, body), limit).await?;
                rest(&headers, body)?
            }
            Begun::Request(rest) => rest(Request::from_parts(parts, body)),
        };
        work.await
    }
}

impl axum::handler::Handler<AnyHandler, App> for AnyHandler {
    type Future = Pin<Box<dyn Future<Output = Response> + Send>>;

    fn call(self, request: Request, app: App) -> Self::Future {
        Box::pin(async move { self.answer(request, app).await.into_response() })
    }
}
