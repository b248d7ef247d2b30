use axum::extract::FromRequestParts;
use croft_api::page::{PageQuery, PageQueryError, SortMode};
use http::request::Parts;
use serde::{Serialize, de::DeserializeOwned};

use super::query;
use crate::failure::{Failure, Result};

/// The requested page of a list.
pub struct Page<Selector, Sort>(pub PageQuery<Selector, Sort>);

impl<Selector, Sort, S> FromRequestParts<S> for Page<Selector, Sort>
where
    Selector: Serialize + DeserializeOwned + Clone,
    Sort: SortMode,
    S: Send + Sync,
{
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        let pairs: Vec<(String, String)> = query::parse(parts)?;
        PageQuery::parse(&pairs).map(Self).map_err(unreadable)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "the type of an error's conversion")]
fn unreadable(reason: PageQueryError) -> Failure {
    Failure::unreadable(reason.to_string())
}
