-- Does the screen still look as it did? The first run keeps a picture, later ones compare with it.
--
--   dejank script examples/scripts/compare_snapshots.lua --device SERIAL reference.png 0.99

local path, share = ...
assert(path, "expected: REFERENCE.png [SHARE]")
share = tonumber(share or "1.0")

local now = MonkeyRunner.waitForConnection(30):takeSnapshot()

-- The clock changes every minute: the upper edge does not count.
local function content(image)
    local edge = math.min(100, image:getHeight() - 1)
    return image:getSubImage{0, edge, image:getWidth(), image:getHeight() - edge}
end

local kept = io.open(path)
if not kept then
    now:writeToFile(path, "png")
    print("kept as " .. path)
    return
end
kept:close()

local reference = MonkeyRunner.loadImageFromFile(path)
if content(now):sameAs(content(reference), share) then
    print("the same")
else
    print("another picture")
    os.exit(1)
end
