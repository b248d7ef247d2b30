use croft_api::page::{PageQuery, PageQueryError, SortMode};
use http::request::Parts;
use serde::{Serialize, de::DeserializeOwned};

use super::{part::Part, query};
use crate::{
    app::App,
    failure::{Failure, Result},
};

/// Which page of a list is asked for.
pub struct Page<Selector, Sort>(pub PageQuery<Selector, Sort>);

impl<Selector, Sort> Part for Page<Selector, Sort>
where
    Selector: Serialize + DeserializeOwned + Clone,
    Sort: SortMode,
{
    fn taken_from(parts: &mut Parts, _: &App) -> Result<Self> {
        PageQuery::parse(&pairs(parts)?).map(Self).map_err(unreadable)
    }
}

fn pairs(parts: &Parts) -> Result<Vec<(String, String)>> {
    query::parse(parts)
}

fn unreadable(reason: PageQueryError) -> Failure {
    Failure::unreadable(reason.to_string())
}
