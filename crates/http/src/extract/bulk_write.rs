use std::borrow::Cow;

use axum::extract::{FromRequest, Request};
use bytes::Bytes;
use croft_api::disk::ImportBlocksBulkWrite;

use super::{
    content_type::require_json,
    json::{read_body, whole_within},
};
use crate::failure::{Failure, Result};

/// Maximum size of the body of a bulk write, in bytes.
pub const MAX_BULK_BODY: usize = 8 << 20;

/// Blocks to be written. The base64 text stays in the buffer of the body.
pub struct BulkWrite {
    offset: u64,
    /// UTF-8.
    base64: Bytes,
}

impl BulkWrite {
    fn parse(body: &Bytes) -> Result<Self> {
        let params: ImportBlocksBulkWrite<'_> = read_body(body)?;
        let base64 = match params.base64_encoded_data {
            Cow::Borrowed(text) => body.slice_ref(text.as_bytes()),
            Cow::Owned(text) => Bytes::from(text),
        };
        Ok(Self { offset: params.offset, base64 })
    }

    /// The parameters for the rule.
    pub fn params(&self) -> ImportBlocksBulkWrite<'_> {
        let base64_encoded_data = String::from_utf8_lossy(&self.base64);
        ImportBlocksBulkWrite { offset: self.offset, base64_encoded_data }
    }
}

impl<S: Send + Sync> FromRequest<S> for BulkWrite {
    type Rejection = Failure;

    async fn from_request(request: Request, _: &S) -> Result<Self> {
        let (headers, body) = whole_within(request, MAX_BULK_BODY).await?;
        require_json(&headers)?;
        Self::parse(&body)
    }
}

#[cfg(test)]
mod tests {
    use axum::body::Body;

    use super::*;

    async fn read(body: String) -> Result<BulkWrite> {
        BulkWrite::from_request(Request::new(Body::from(body)), &()).await
    }

    #[test]
    fn unescaped_text_is_borrowed() {
        let body = Bytes::from_static(br#"{"offset": 512, "base64_encoded_data": "QUJD", "more": 1}"#);
        let write = BulkWrite::parse(&body).unwrap();
        assert_eq!((write.offset, &*write.params().base64_encoded_data), (512, "QUJD"));
        assert!(body.as_ptr_range().contains(&write.base64.as_ptr()));
        let body = Bytes::from_static(br#"{"offset": 0, "base64_encoded_data": "Q\u0055JD\/"}"#);
        assert_eq!(BulkWrite::parse(&body).unwrap().params().base64_encoded_data, "QUJD/");
    }

    #[tokio::test]
    async fn bulk_write_has_a_separate_size_limit() {
        let frame = r#"{"offset":0,"base64_encoded_data":""}"#;
        let filled = |length| frame.replace("\"\"", &format!("\"{}\"", "A".repeat(length - frame.len())));
        assert_eq!(read(filled(MAX_BULK_BODY)).await.unwrap().base64.len(), MAX_BULK_BODY - frame.len());
        let refused = read(filled(MAX_BULK_BODY + 1)).await.err().unwrap();
        assert_eq!(refused.message(), "request body exceeded maximum size of 8388608 bytes");
    }
}
