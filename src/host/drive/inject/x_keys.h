/* Keysyms of X by name. */
#ifndef DEJANK_DRIVE_INJECT_X_KEYS_H
#define DEJANK_DRIVE_INJECT_X_KEYS_H

#include <stdbool.h>
#include <stdint.h>

/* Sets the keysym of "back", "enter", "page_down", "f5", "a", "KEYCODE_TAB". Names from
 * Android mean the closest key of a desktop. Returns false for unknown names. */
bool dj_x_keys_find(const char *name, uint32_t *keysym);

#endif
