"""What a contact is in its space: gap, frame, rows, slip, phase; and the forces of compliant contacts and tracks."""

from routh.core.twins import twin

push_tracks = twin("contact.tracks.push_tracks", "contact.spatial_pressing.no_tracks")
press = twin("contact.planar_pressing.press", "contact.spatial_pressing.press")
look = twin("contact.planar_contacts.look", "contact.spatial_contacts.look")
seat = twin("contact.planar_contacts.seat", "contact.spatial_contacts.seat")
slip_speed = twin("contact.planar_contacts.slip_speed", "contact.spatial_contacts.slip_speed")
slip_along = twin("contact.planar_contacts.slip_along", "contact.spatial_contacts.slip_along")
take_aim = twin("contact.planar_contacts.take_aim", "contact.spatial_contacts.take_aim")
aim = twin("contact.planar_contacts.aim", "contact.spatial_contacts.aim")
face_ahead = twin("contact.planar_contacts.face_ahead", "contact.spatial_contacts.face_ahead")
veer = twin("contact.planar_contacts.veer", "contact.spatial_contacts.veer")
write_phase = twin("contact.planar_contacts.write_phase", "contact.spatial_contacts.write_phase")
read_phase = twin("contact.planar_contacts.read_phase", "contact.spatial_contacts.read_phase")
frame_of = twin("contact.planar_contacts.frame_of", "contact.spatial_contacts.frame_of")
same_way = twin("contact.planar_contacts.same_way", "contact.spatial_contacts.same_way")
tangents_of = twin("contact.planar_contacts.tangents_of", "contact.spatial_contacts.tangents_of")
leftover = twin("contact.planar_contacts.leftover", "contact.spatial_contacts.leftover")
load_impulse = twin("contact.planar_contacts.load_impulse", "contact.spatial_contacts.load_impulse")
slide_left = twin("contact.planar_contacts.slide_left", "contact.spatial_contacts.slide_left")
