#include "facts/device.h"

#include <math.h>

void dj_facts_init(struct dj_device_facts *facts)
{
    *facts = (struct dj_device_facts){
        .api = -1,
        .refresh_hz = NAN,
        .width_px = -1,
        .height_px = -1,
        .density_dpi = -1,
        .ram_bytes = -1,
        .cores = -1,
        .cpu_max_hz = -1,
        .emulator = DJ_KNOWN_UNKNOWN,
        .battery_pct = -1,
        .charging = DJ_KNOWN_UNKNOWN,
        .battery_c = NAN,
        .skin_c = NAN,
        .thermal_status = -1,
        .screen_on = DJ_KNOWN_UNKNOWN,
        .locked = DJ_KNOWN_UNKNOWN,
        .low_power = DJ_KNOWN_UNKNOWN,
        .developer_options = DJ_KNOWN_UNKNOWN,
        .stays_awake = DJ_KNOWN_UNKNOWN,
        .animation_scale = {NAN, NAN, NAN},
        .load_per_core = NAN,
    };
}
