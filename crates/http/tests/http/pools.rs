use std::sync::{Arc, mpsc};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use croft_http::{BLOCKING_THREADS, Work};
use parking_lot::{Condvar, Mutex};
use serde_json::json;

use crate::cloud::Cloud;

/// Blocks threads until it is opened.
#[derive(Default)]
struct Gate {
    is_open: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    fn pass(&self) {
        let mut is_open = self.is_open.lock();
        while !*is_open {
            self.opened.wait(&mut is_open);
        }
    }

    fn open(&self) {
        *self.is_open.lock() = true;
        self.opened.notify_all();
    }
}

/// A user who may read one project sends more slow queries than the pool has threads.
#[test]
fn slow_queries_do_not_delay_sign_in_reads_or_imports() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        // The limit for all kinds of work together.
        .max_blocking_threads(BLOCKING_THREADS)
        .enable_all()
        .build()
        .unwrap();
    let gate = Arc::<Gate>::default();
    let (begun, busy) = mpsc::channel();
    runtime.block_on(async {
        let cloud = Cloud::new();
        let client = cloud.signed_in().await;
        client.create_project("web").await;
        let disk = json!({
            "name": "data", "description": "", "size": 1 << 30,
            "disk_source": { "type": "importing_blocks", "block_size": 512 },
        });
        assert_eq!(client.post("/v1/disks?project=web", disk).await.status, 201);
        cloud.settle();
        let queries: Vec<_> = (0..2 * BLOCKING_THREADS)
            .map(|_| {
                let (pools, gate, begun) = (cloud.app.pools.clone(), gate.clone(), begun.clone());
                tokio::spawn(async move {
                    pools
                        .run(Work::Queries, move || {
                            begun.send(()).unwrap();
                            gate.pass();
                        })
                        .await
                        .unwrap();
                })
            })
            .collect();
        busy.recv().unwrap();

        assert_eq!(cloud.signed_in().await.get("/v1/projects/web").await.status, 200);
        let start = client.post("/v1/disks/data/bulk-write-start?project=web", json!({})).await;
        assert_eq!(start.status, 204, "{start:?}");
        let blocks = json!({ "offset": 0, "base64_encoded_data": STANDARD.encode([7; 512]) });
        let written = client.post("/v1/disks/data/bulk-write?project=web", blocks).await;
        assert_eq!(written.status, 204, "{written:?}");
        gate.open();
        for query in queries {
            query.await.unwrap();
        }
    });
}
