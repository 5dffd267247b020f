#include "drive/inject/x_keys.h"

#include "base/count_of.h"

/* Values from X11/keysymdef.h. The keysym of an ASCII character is its code, so ASCII
 * characters are not in the table. */
static const struct {
    const char *name;
    uint32_t keysym;
} keys[] = {
    {"back", 0xff1b},      {"escape", 0xff1b},     {"enter", 0xff0d},
    {"return", 0xff0d},    {"tab", 0xff09},        {"space", 0x0020},
    {"del", 0xff08},       {"backspace", 0xff08},  {"forward_del", 0xffff},
    {"delete", 0xffff},    {"menu", 0xff67},       {"home", 0xff50},
    {"move_home", 0xff50}, {"end", 0xff57},        {"move_end", 0xff57},
    {"up", 0xff52},        {"dpad_up", 0xff52},    {"down", 0xff54},
    {"dpad_down", 0xff54}, {"left", 0xff51},       {"dpad_left", 0xff51},
    {"right", 0xff53},     {"dpad_right", 0xff53}, {"page_up", 0xff55},
    {"page_down", 0xff56}, {"insert", 0xff63},     {"f1", 0xffbe},
    {"f2", 0xffbf},        {"f3", 0xffc0},         {"f4", 0xffc1},
    {"f5", 0xffc2},        {"f6", 0xffc3},         {"f7", 0xffc4},
    {"f8", 0xffc5},        {"f9", 0xffc6},         {"f10", 0xffc7},
    {"f11", 0xffc8},       {"f12", 0xffc9},
};

bool dj_x_keys_find(const char *name, uint32_t *keysym)
{
    if (strncasecmp(name, "KEYCODE_", 8) == 0) {
        name += 8;
    }
    if (name[0] > ' ' && name[0] <= '~' && name[1] == '\0') {
        *keysym = (uint32_t)name[0];
        return true;
    }
    for (size_t i = 0; i < COUNT_OF(keys); i++) {
        if (strcasecmp(keys[i].name, name) == 0) {
            *keysym = keys[i].keysym;
            return true;
        }
    }
    return false;
}
