/* A plugin that is linked to SDL 2, like a module of an interpreter. */
#define EXPORT __attribute__((visibility("default")))

int SDL_PollEvent(void *event);
EXPORT int plugin_poll(void);

int plugin_poll(void)
{
    int type = 0;
    SDL_PollEvent(&type);
    return type;
}
