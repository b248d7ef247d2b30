//! Pagination: keyset pages with opaque tokens (`docs/rules/compute-and-storage.md#pagination`).

use std::num::{IntErrorKind, NonZeroU32};

use base64::{Engine as _, engine::general_purpose::URL_SAFE};
use jiff::Timestamp;
use serde::{
    Deserialize, Serialize,
    de::{DeserializeOwned, IntoDeserializer},
};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::scalar::Name;

/// Items on a page when the caller names no limit.
pub const DEFAULT_LIMIT: u32 = 100;
/// Most items on a page; a greater limit is lowered to it.
pub const MAX_LIMIT: u32 = 10_000;

/// One page of a list.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ResultsPage<T> {
    /// The items, in the order asked for.
    pub items: Vec<T>,
    /// Token of the page after this one. Present whenever this page has an item, so a client asks until a page is
    /// empty or short.
    pub next_page: Option<String>,
}

/// An item of a list: what its place in the list is made of.
pub trait Listed {
    /// The item's id.
    fn id(&self) -> Uuid;
    /// The item's name.
    fn name(&self) -> &str;
    /// Whether several items of one list can have the same name.
    fn names_repeat() -> bool
    where
        Self: Sized,
    {
        false
    }
    /// The time by which a list in order of time sorts.
    fn time(&self) -> Timestamp {
        Timestamp::UNIX_EPOCH
    }
}

/// The place in a list after which a page begins.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Marker {
    /// After this id.
    Id(Uuid),
    /// After this time, or this id at the same time.
    Time(Timestamp, Uuid),
    /// After this name, or this id among those of the same name.
    NameAndId(String, Uuid),
    /// After this name.
    Name(String),
}

/// An order of a list.
pub trait SortMode: Copy + Default + Serialize + DeserializeOwned + PartialEq + 'static {
    /// The parameter that names it.
    const PARAMETER: &str = "sort_by";
    /// Longest page token, in characters.
    const MAX_TOKEN_LENGTH: usize = 512;
    /// The place of an item in this order.
    fn marker<T: Listed>(self, item: &T) -> Marker;
    /// Whether a marker is of the kind that this order makes.
    fn accepts(self, marker: &Marker) -> bool;
    /// Whether something in such a list could have this name.
    fn has_name(text: &str) -> bool {
        text.parse::<Name>().is_ok()
    }
}

/// Order of lists of named resources.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NameOrIdSortMode {
    /// Ascending by name.
    #[default]
    NameAscending,
    /// Descending by name.
    NameDescending,
    /// Ascending by ID.
    IdAscending,
}

impl SortMode for NameOrIdSortMode {
    fn marker<T: Listed>(self, item: &T) -> Marker {
        match self {
            Self::NameAscending | Self::NameDescending if T::names_repeat() => {
                Marker::NameAndId(item.name().to_owned(), item.id())
            }
            Self::NameAscending | Self::NameDescending => Marker::Name(item.name().to_owned()),
            Self::IdAscending => Marker::Id(item.id()),
        }
    }

    fn accepts(self, marker: &Marker) -> bool {
        match self {
            Self::NameAscending | Self::NameDescending => {
                matches!(marker, Marker::Name(_) | Marker::NameAndId(..))
            }
            Self::IdAscending => matches!(marker, Marker::Id(_)),
        }
    }
}

/// Order of lists of named resources that are few.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum NameSortMode {
    /// Ascending by name.
    #[default]
    NameAscending,
}

impl SortMode for NameSortMode {
    fn marker<T: Listed>(self, item: &T) -> Marker {
        Marker::Name(item.name().to_owned())
    }

    fn accepts(self, marker: &Marker) -> bool {
        matches!(marker, Marker::Name(_))
    }
}

/// Order of lists of resources that are known by id alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum IdSortMode {
    /// Ascending by ID.
    #[default]
    IdAscending,
}

impl SortMode for IdSortMode {
    fn marker<T: Listed>(self, item: &T) -> Marker {
        Marker::Id(item.id())
    }

    fn accepts(self, marker: &Marker) -> bool {
        matches!(marker, Marker::Id(_))
    }
}

/// Order of lists of events.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TimeAndIdSortMode {
    /// Ascending by time.
    #[default]
    TimeAndIdAscending,
    /// Descending by time.
    TimeAndIdDescending,
}

impl SortMode for TimeAndIdSortMode {
    fn marker<T: Listed>(self, item: &T) -> Marker {
        Marker::Time(item.time(), item.id())
    }

    fn accepts(self, marker: &Marker) -> bool {
        matches!(marker, Marker::Time(..))
    }
}

/// The selector of a list that needs none.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct NoSelector {}

/// Which page of which list a caller asked for.
#[derive(Clone, Debug)]
pub struct PageQuery<Selector, Sort> {
    /// What is listed.
    pub selector: Selector,
    /// In which order.
    pub sort: Sort,
    /// After which place; none for the first page.
    pub after: Option<Marker>,
    /// At most how many items.
    pub limit: u32,
}

/// Why a query string does not name a page.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PageQueryError {
    /// The query string cannot be read.
    #[error("unable to parse query string: {0}")]
    Query(String),
    /// The token was made for another order.
    #[error("invalid page token")]
    Token,
}

#[derive(Serialize, Deserialize)]
struct Token<Selector, Sort> {
    v: TokenVersion,
    page_start: PageStart<Selector, Sort>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum TokenVersion {
    V1,
}

#[derive(Serialize, Deserialize)]
struct PageStart<Selector, Sort> {
    sort_by: Sort,
    #[serde(flatten)]
    selector: Selector,
    last_seen: Marker,
}

impl<Selector, Sort> PageQuery<Selector, Sort>
where
    Selector: Serialize + DeserializeOwned + Clone,
    Sort: SortMode,
{
    /// Reads a query string, given as its decoded keys and values.
    ///
    /// With a `page_token` everything but `limit` is ignored: it stands in the token.
    pub fn parse(pairs: &[(String, String)]) -> Result<Self, PageQueryError> {
        let limit = single(pairs, "limit")?.map_or(Ok(DEFAULT_LIMIT), parse_limit)?;
        if let Some(token) = single(pairs, "page_token")? {
            let PageStart { sort_by, selector, last_seen } = decode_token(token)?;
            return Ok(Self { selector, sort: sort_by, after: Some(last_seen), limit });
        }
        let sort = match single(pairs, Sort::PARAMETER)? {
            None => Sort::default(),
            Some(text) => Sort::deserialize(text.into_deserializer()).map_err(query_error)?,
        };
        let rest = pairs
            .iter()
            .filter(|(key, _)| !["limit", "page_token", Sort::PARAMETER].contains(&key.as_str()))
            .collect::<Vec<_>>();
        // Written again, because serde's own deserializer of pairs knows neither optional values nor numbers.
        let rest =
            serde_urlencoded::to_string(rest).map_err(|error| PageQueryError::Query(error.to_string()))?;
        let selector = serde_urlencoded::from_str(&rest).map_err(query_error)?;
        Ok(Self { selector, sort, after: None, limit })
    }

    /// Puts items into the answer, with the token of the page after them.
    pub fn results<T: Listed>(&self, items: Vec<T>) -> ResultsPage<T> {
        let last_seen = items.last().map(|last| self.sort.marker(last));
        self.results_after(items, last_seen)
    }

    /// Puts items into the answer of a list whose places do not follow from its items, with the token of the page after a
    /// place.
    pub fn results_after<T>(&self, items: Vec<T>, last_seen: Option<Marker>) -> ResultsPage<T> {
        let next_page = last_seen.map(|last_seen| {
            let page_start = PageStart { sort_by: self.sort, selector: self.selector.clone(), last_seen };
            let token = Token { v: TokenVersion::V1, page_start };
            URL_SAFE.encode(serde_json::to_vec(&token).expect("names, ids and times are plain JSON"))
        });
        ResultsPage { items, next_page }
    }
}

fn single<'a>(pairs: &'a [(String, String)], key: &str) -> Result<Option<&'a str>, PageQueryError> {
    let mut found = pairs.iter().filter(|(k, _)| k == key).map(|(_, value)| value.as_str());
    let first = found.next();
    if found.next().is_some() {
        return Err(PageQueryError::Query(format!("duplicate field `{key}`")));
    }
    Ok(first)
}

fn query_error(error: serde::de::value::Error) -> PageQueryError {
    PageQueryError::Query(error.to_string())
}

fn parse_limit(text: &str) -> Result<u32, PageQueryError> {
    text.parse::<NonZeroU32>().map(|limit| limit.get().min(MAX_LIMIT)).map_err(|error| {
        PageQueryError::Query(match error.kind() {
            IntErrorKind::Zero => "invalid value: integer `0`, expected a nonzero u32".into(),
            _ => error.to_string(),
        })
    })
}

fn decode_token<Selector: DeserializeOwned, Sort: SortMode>(
    text: &str,
) -> Result<PageStart<Selector, Sort>, PageQueryError> {
    let failed = |reason: &str| PageQueryError::Query(format!("failed to parse pagination token: {reason}"));
    if text.len() > Sort::MAX_TOKEN_LENGTH {
        return Err(failed("too large"));
    }
    let bytes = URL_SAFE.decode(text).map_err(|error| failed(&error.to_string()))?;
    let token: Token<Selector, Sort> =
        serde_json::from_slice(&bytes).map_err(|_| failed("corrupted token"))?;
    let start = token.page_start;
    // A name in a token made here follows the rules of names; anything else was made elsewhere.
    let plausible = match &start.last_seen {
        Marker::Name(name) | Marker::NameAndId(name, _) => Sort::has_name(name),
        Marker::Id(_) | Marker::Time(..) => true,
    };
    if start.sort_by.accepts(&start.last_seen) && plausible { Ok(start) } else { Err(PageQueryError::Token) }
}

#[cfg(test)]
mod tests;
