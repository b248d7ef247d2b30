use axum::extract::{FromRequestParts as _, RawPathParams};
use croft_api::Error;
use futures_util::FutureExt as _;
use http::request::Parts;
use serde::de::{
    DeserializeOwned,
    value::{Error as Reason, MapDeserializer},
};

use super::part::Part;
use crate::{
    app::App,
    failure::{Failure, Result},
};

/// The parameters of the path.
pub struct Path<T>(pub T);

impl<T: DeserializeOwned> Part for Path<T> {
    fn taken_from(parts: &mut Parts, _: &App) -> Result<Self> {
        T::deserialize(MapDeserializer::new(params(parts)?.iter())).map(Self).map_err(unreadable)
    }
}

fn params(parts: &mut Parts) -> Result<RawPathParams> {
    let params = RawPathParams::from_request_parts(parts, &()).now_or_never();
    let params = params.ok_or_else(|| Error::internal("the parameters of a path are waited for"))?;
    params.map_err(|_| Failure::unreadable("invalid path encoding"))
}

fn unreadable(reason: Reason) -> Failure {
    Failure::unreadable(format!("bad parameter in URL path: {reason}"))
}
