/* A plugin linked against SDL 2, as an interpreter's module is. */
#define EXPORT __attribute__((visibility("default")))

int SDL_PollEvent(void *event);
EXPORT int plugin_poll(void);

int plugin_poll(void)
{
    int told = 0;
    SDL_PollEvent(&told);
    return told;
}
