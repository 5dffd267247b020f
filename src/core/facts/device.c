#include "facts/device.h"

#include <math.h>

void dj_device_facts_init(struct dj_device_facts *facts)
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
        .emulator = DJ_KNOWN_NOT,
        .battery_pct = -1,
        .charging = DJ_KNOWN_NOT,
        .battery_c = NAN,
        .skin_c = NAN,
        .thermal_status = -1,
        .screen_on = DJ_KNOWN_NOT,
        .locked = DJ_KNOWN_NOT,
        .low_power = DJ_KNOWN_NOT,
        .developer_options = DJ_KNOWN_NOT,
        .stays_awake = DJ_KNOWN_NOT,
        .animation_scale = {NAN, NAN, NAN},
        .load_per_core = NAN,
    };
}
