use axum::extract::FromRequestParts;
use croft_api::page::{PageQuery, SortMode};
use http::request::Parts;
use serde::{Serialize, de::DeserializeOwned};

use crate::failure::Failure;

/// Which page of a list is asked for.
pub struct Page<Selector, Sort>(pub PageQuery<Selector, Sort>);

impl<Selector, Sort, S> FromRequestParts<S> for Page<Selector, Sort>
where
    Selector: Serialize + DeserializeOwned + Clone,
    Sort: SortMode,
    S: Send + Sync,
{
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        let pairs: Vec<(String, String)> = serde_urlencoded::from_str(parts.uri.query().unwrap_or_default())
            .map_err(|error| Failure::unreadable(format!("unable to parse query string: {error}")))?;
        PageQuery::parse(&pairs).map(Self).map_err(|error| Failure::unreadable(error.to_string()))
    }
}
