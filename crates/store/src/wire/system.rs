use croft_api::{alert, batch, hardware, policy, second_factor::SecondFactorKind, update};

use super::{converted, same_fields, same_variants};
use crate::records::{
    AlertDeliveryState, AlertDeliveryTrigger, ArtifactId, Baseboard, BatchItemError, BatchItemState,
    BatchOperation, FactorProof, FleetRole, PhysicalDiskKind, SecondFactor, SiloRole, TargetReleaseSource,
    WebhookDeliveryAttemptResult, WebhookDeliveryResponse,
};

impl SecondFactor {
    /// Its kind, as it is shown.
    pub fn kind(&self) -> SecondFactorKind {
        match self.proof {
            FactorProof::Totp { .. } => SecondFactorKind::Totp,
            FactorProof::Passkey { .. } => SecondFactorKind::Passkey,
        }
    }
}

same_variants!(SiloRole = policy::SiloRole { Admin, Collaborator, Viewer });
same_variants!(FleetRole = policy::FleetRole { Admin, Collaborator, Viewer });

same_fields!(Baseboard = hardware::Baseboard { serial, part, revision });
same_variants!(PhysicalDiskKind = hardware::PhysicalDiskKind { M2, U2 });

same_variants!(AlertDeliveryTrigger = alert::AlertDeliveryTrigger { Alert, Resend, Probe });
same_variants!(AlertDeliveryState = alert::AlertDeliveryState { Pending, Delivered, Failed });
same_variants!(
    WebhookDeliveryAttemptResult =
        alert::WebhookDeliveryAttemptResult { Succeeded, FailedHttpError, FailedUnreachable, FailedTimeout }
);
same_fields!(WebhookDeliveryResponse = alert::WebhookDeliveryResponse { status, duration_ms });

same_variants!(
    BatchOperation = batch::BatchOperation {
        InstanceStart,
        InstanceStop,
        InstanceReboot,
        InstanceDelete,
        DiskDelete,
        SnapshotDelete,
        ImageDelete,
        FloatingIpDelete
    }
);
same_variants!(BatchItemState = batch::BatchItemState { Queued, Succeeded, Failed, Canceled });
same_fields!(BatchItemError = batch::BatchItemError { http_status_code, error_code, message });

same_fields!(ArtifactId = update::ArtifactId { name, version, kind });
same_variants!(
    TargetReleaseSource = update::TargetReleaseSource {
        Unspecified,
        SystemVersion { version }
    }
);
