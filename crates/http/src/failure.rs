//! Converts errors to HTTP responses.

use std::sync::Arc;

use axum::response::{IntoResponse, Response};
use croft_api::{Error, ErrorBody};
use http::{HeaderValue, StatusCode, header};
use uuid::Uuid;

/// The error of a body that arrives too slowly, answered with 408.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooSlow;

impl std::fmt::Display for TooSlow {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("the request body took too long to arrive")
    }
}

impl std::error::Error for TooSlow {}

/// The result of a handler.
pub type Result<T, E = Failure> = std::result::Result<T, E>;

/// An error with its HTTP status: the message for the client, and details for the log.
///
/// The catalog is `docs/rules/compute-and-storage.md#error-catalogue`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    status: StatusCode,
    code: Option<&'static str>,
    message: String,
    detail: Option<String>,
    /// The length of the content, for range requests.
    length: Option<u64>,
}

impl Failure {
    /// No operation and no page has this path.
    pub fn route_not_found() -> Self {
        Self::plain(StatusCode::NOT_FOUND, "Not Found")
    }

    /// The path exists, the method does not.
    pub fn method_not_allowed() -> Self {
        Self::plain(StatusCode::METHOD_NOT_ALLOWED, "Method Not Allowed")
    }

    /// The request is malformed.
    pub fn unreadable(message: impl Into<String>) -> Self {
        Error::Parse(message.into()).into()
    }

    /// The body did not arrive.
    pub(crate) fn from_body(error: axum::Error) -> Self {
        // Each layer around the body may have wrapped the error once more.
        let first: &(dyn std::error::Error + 'static) = &error;
        let mut causes = std::iter::successors(Some(first), |error| error.source());
        match causes.find_map(|error| error.downcast_ref::<TooSlow>()) {
            Some(slow) => Self::plain(StatusCode::REQUEST_TIMEOUT, &slow.to_string()),
            None => Self::unreadable(format!("unable to read body: {error}")),
        }
    }

    /// The range starts after the end of a content of this length.
    pub(crate) fn unsatisfiable(length: u64) -> Self {
        let failure = Self::plain(StatusCode::RANGE_NOT_SATISFIABLE, "the range lies behind the end");
        Self { length: Some(length), ..failure }
    }

    fn plain(status: StatusCode, message: &str) -> Self {
        Self { status, code: None, message: message.to_owned(), detail: None, length: None }
    }

    /// The status of the answer.
    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// The error that the client gets.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Details for the log only.
    pub fn detail(&self) -> Option<&str> {
        self.detail.as_deref()
    }

    /// The complete response, once the request's id is known.
    pub(crate) fn render(&self, request_id: Uuid) -> Response {
        let body = ErrorBody {
            error_code: self.code.map(str::to_owned),
            message: self.message.clone(),
            request_id: request_id.to_string(),
        };
        let body = serde_json::to_vec(&body).expect("three texts are plain JSON");
        let json = HeaderValue::from_static("application/json");
        let mut response = (self.status, [(header::CONTENT_TYPE, json)], body).into_response();
        let further = match self.status {
            StatusCode::SERVICE_UNAVAILABLE => Some((header::RETRY_AFTER, "1")),
            // The rest of the body would otherwise be parsed as the next request.
            StatusCode::REQUEST_TIMEOUT => Some((header::CONNECTION, "close")),
            _ => None,
        };
        if let Some((name, value)) = further {
            response.headers_mut().insert(name, HeaderValue::from_static(value));
        }
        let range = self.length.and_then(|length| HeaderValue::try_from(format!("bytes */{length}")).ok());
        if let Some(range) = range {
            response.headers_mut().insert(header::CONTENT_RANGE, range);
        }
        response
    }
}

/// The status of an error in the catalog.
pub fn status(error: &Error) -> StatusCode {
    match error {
        Error::NotFound { .. } | Error::NotFoundText(_) => StatusCode::NOT_FOUND,
        Error::Exists { .. }
        | Error::ExistsText(_)
        | Error::InvalidRequest(_)
        | Error::InvalidValue { .. }
        | Error::Parse(_) => StatusCode::BAD_REQUEST,
        Error::Unauthenticated { .. } => StatusCode::UNAUTHORIZED,
        Error::Forbidden | Error::ForbiddenText(_) | Error::SignInAgain(_) => StatusCode::FORBIDDEN,
        Error::Conflict(_) => StatusCode::CONFLICT,
        Error::Gone => StatusCode::GONE,
        Error::InsufficientCapacity(_) => StatusCode::INSUFFICIENT_STORAGE,
        Error::Unavailable { .. } | Error::NotNow(_) | Error::MachineLost { .. } => {
            StatusCode::SERVICE_UNAVAILABLE
        }
        Error::Internal { .. } => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        Self {
            status: status(&error),
            code: error.code(),
            message: error.message(),
            detail: error.detail().map(str::to_owned),
            length: None,
        }
    }
}

/// The response carries the failure as an extension; the outermost layer, which knows the request's ID, writes the
/// body.
impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        let mut response = self.status.into_response();
        response.extensions_mut().insert(Arc::new(self));
        response
    }
}

#[cfg(test)]
mod tests {
    use croft_api::ResourceKind;

    use super::*;

    #[test]
    fn error_statuses_match_the_catalogue() {
        let cases = [
            (Error::not_found(ResourceKind::Disk, Uuid::nil()), 404),
            (Error::exists(ResourceKind::Disk, "d"), 400),
            (Error::invalid_request("no"), 400),
            (Error::invalid_value("size", "no"), 400),
            (Error::unauthenticated("why"), 401),
            (Error::Forbidden, 403),
            (Error::forbidden("first"), 403),
            (Error::SignInAgain("too long ago".into()), 403),
            (Error::conflict("no"), 409),
            (Error::Gone, 410),
            (Error::internal("why"), 500),
            (Error::unavailable("why"), 503),
            (Error::NotNow("why".into()), 503),
            (Error::InsufficientCapacity("no".into()), 507),
        ];
        for (error, status) in cases {
            assert_eq!(Failure::from(error.clone()).status().as_u16(), status, "{error:?}");
        }
    }

    #[test]
    fn internal_details_are_logged_and_not_returned() {
        let failure = Failure::from(Error::internal("table disk is broken"));
        assert_eq!(failure.message(), "Internal Server Error");
        assert_eq!(failure.detail(), Some("table disk is broken"));
    }
}
