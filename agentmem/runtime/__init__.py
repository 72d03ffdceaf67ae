"""The running system: settings, wiring, worker host, scheduler, clocks, telemetry."""
